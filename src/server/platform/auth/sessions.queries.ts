import type { Db } from '../../db/schema.ts';

/** A session with its person, by the hash of its token: one joined query on every request. */
export function findSessionByTokenHash(db: Db, tokenHash: string) {
	return db
		.selectFrom('sessions')
		.innerJoin('users', 'users.id', 'sessions.user_id')
		.select([
			'sessions.id as sessionId',
			'sessions.expires_at as expiresAt',
			'sessions.last_seen_at as lastSeenAt',
			'sessions.ended_at as endedAt',
			'sessions.ended_reason as endedReason',
			'users.id as userId',
			'users.email',
			'users.name',
			'users.role',
			'users.active',
			'users.has_initial_password as hasInitialPassword',
		])
		.where('sessions.token_hash', '=', tokenHash)
		.executeTakeFirst();
}

/** Which of these sessions are over by `now`, and why. */
export function findEndedSessions(db: Db, ids: string[], now: string) {
	return db
		.selectFrom('sessions')
		.select(['id', 'ended_reason as endedReason'])
		.where('id', 'in', ids)
		.where((where) => where.or([where('ended_at', 'is not', null), where('expires_at', '<=', now)]))
		.execute();
}

export interface NewSession {
	id: string;
	tokenHash: string;
	userId: string;
	now: string;
	expiresAt: string;
	ip: string;
	userAgent: string;
}

export async function insertSession(db: Db, session: NewSession): Promise<void> {
	await db
		.insertInto('sessions')
		.values({
			id: session.id,
			token_hash: session.tokenHash,
			user_id: session.userId,
			created_at: session.now,
			last_seen_at: session.now,
			expires_at: session.expiresAt,
			ip: session.ip,
			user_agent: session.userAgent,
			ended_at: null,
			ended_reason: null,
		})
		.execute();
}

export async function touchSession(db: Db, id: string, now: string, expiresAt: string): Promise<void> {
	await db
		.updateTable('sessions')
		.set({ last_seen_at: now, expires_at: expiresAt })
		.where('id', '=', id)
		.where('ended_at', 'is', null)
		.execute();
}

/** Ends one session, or all of a person's; sessions that have ended already keep their reason. */
export async function markSessionsEnded(
	db: Db,
	which: { userId: string; sessionId?: string },
	reason: 'logout' | 'deactivation' | 'password',
	now: string,
): Promise<void> {
	let query = db
		.updateTable('sessions')
		.set({ ended_at: now, ended_reason: reason })
		.where('user_id', '=', which.userId)
		.where('ended_at', 'is', null);
	if (which.sessionId !== undefined) query = query.where('id', '=', which.sessionId);
	await query.execute();
}
