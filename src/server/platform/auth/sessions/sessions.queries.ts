import { countRows, insertInto, pageAfter, prepareQuery } from '../../database/query-preparation.ts';
import type { Db } from '../../database/schema.ts';
import { securitySetting } from '../../database/settings.ts';

const sessionQuery = prepareQuery((db, { tokenHash }: { tokenHash: string }) =>
	db
		.selectFrom('sessions')
		.innerJoin('users', 'users.id', 'sessions.user_id')
		.select((eb) => [
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
			'users.totp_confirmed_at as twoFactorSince',
			'sessions.impersonated_user_id as viewedUserId',
			'sessions.impersonation_ends_at as viewEndsAt',
			eb.selectFrom('settings').select('value').where('key', '=', securitySetting.key).as('security'),
		])
		.where('sessions.token_hash', '=', tokenHash),
);

/**
 * Returns a session with its user and the security setting, by the hash of its token. One query, because it runs on every
 * request.
 */
export async function findSessionByTokenHash(db: Db, tokenHash: string) {
	return (await sessionQuery(db, { tokenHash })).rows[0];
}

/** Returns a member who may be impersonated; undefined for an admin and for an inactive user. */
export function findImpersonableMember(db: Db, userId: string) {
	return db
		.selectFrom('users')
		.select(['id', 'email', 'name', 'has_initial_password as hasInitialPassword'])
		.where('id', '=', userId)
		.where('role', '=', 'user')
		.where('active', '=', 1)
		.executeTakeFirst();
}

/** Starts a session's impersonation of a member until `endsAt`; null ends the impersonation. */
export async function setImpersonation(tx: Db, sessionId: string, view: { userId: string; endsAt: string } | null) {
	await tx
		.updateTable('sessions')
		.set({ impersonated_user_id: view?.userId ?? null, impersonation_ends_at: view?.endsAt ?? null })
		.where('id', '=', sessionId)
		.where('ended_at', 'is', null)
		.execute();
}

/** Ends an impersonation. @returns false when it has ended already, or the session has started another one */
export async function clearImpersonation(tx: Db, impersonation: { sessionId: string; endsAt: string | null }) {
	const { numUpdatedRows } = await tx
		.updateTable('sessions')
		.set({ impersonated_user_id: null, impersonation_ends_at: null })
		.where('id', '=', impersonation.sessionId)
		.where('impersonation_ends_at', '=', impersonation.endsAt)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

/** Returns the states of the sessions; sessions of deleted users are missing. */
export function findSessionStates(db: Db, ids: string[]) {
	return db
		.selectFrom('sessions')
		.innerJoin('users', 'users.id', 'sessions.user_id')
		.select([
			'sessions.id',
			'sessions.ended_at as endedAt',
			'sessions.ended_reason as endedReason',
			'sessions.expires_at as expiresAt',
			'sessions.impersonated_user_id as viewedUserId',
			'users.role',
		])
		.where('sessions.id', 'in', ids)
		.execute();
}

export const insertSession = insertInto('sessions');

/**
 * Deletes a user's sessions until at most `kept` are left: first ended sessions, then the least recently used.
 * @returns the ids of deleted sessions that had not ended
 */
export async function deleteExcessSessions(tx: Db, of: { userId: string; kept: number }): Promise<string[]> {
	const over = tx
		.selectFrom('sessions')
		.select('id')
		.where('user_id', '=', of.userId)
		.orderBy((eb) => eb.case().when('ended_at', 'is', null).then(0).else(1).end())
		.orderBy('last_seen_at', 'desc')
		.orderBy('id')
		.limit(100_000)
		.offset(of.kept);
	const rows = await tx.deleteFrom('sessions').where('id', 'in', over).returning(['id', 'ended_at']).execute();
	return rows.flatMap(({ id, ended_at }) => (ended_at === null ? [id] : []));
}

export async function extendSession(db: Db, id: string, now: string, expiresAt: string): Promise<void> {
	await db
		.updateTable('sessions')
		.set({ last_seen_at: now, expires_at: expiresAt })
		.where('id', '=', id)
		.where('ended_at', 'is', null)
		.execute();
}

/**
 * Ends one session of a user, all, or all but one. Sessions that have ended before keep their reason.
 * @returns the ids of the sessions that this call ended
 */
export async function setSessionsEnded(
	db: Db,
	which: { userId: string; sessionId?: string; exceptId?: string | undefined },
	reason: 'logout' | 'deactivation' | 'password' | 'device',
	now: string,
): Promise<string[]> {
	let query = db
		.updateTable('sessions')
		.set({ ended_at: now, ended_reason: reason })
		.where('user_id', '=', which.userId)
		.where('ended_at', 'is', null);
	if (which.sessionId !== undefined) query = query.where('id', '=', which.sessionId);
	if (which.exceptId !== undefined) query = query.where('id', '!=', which.exceptId);
	const rows = await query.returning('id').execute();
	return rows.map((row) => row.id);
}

/** Replaces the token of a live session. @returns false when the session has ended */
export async function replaceToken(tx: Db, id: string, tokenHash: string): Promise<boolean> {
	const { numUpdatedRows } = await tx
		.updateTable('sessions')
		.set({ token_hash: tokenHash })
		.where('id', '=', id)
		.where('ended_at', 'is', null)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

interface LiveSessionsQuery {
	userId: string;
	now: string;
}

function liveSessions(db: Db, { userId, now }: LiveSessionsQuery) {
	return db
		.selectFrom('sessions')
		.where('user_id', '=', userId)
		.where('ended_at', 'is', null)
		.where('expires_at', '>', now);
}

const listedColumns = [
	'id',
	'created_at as createdAt',
	'last_seen_at as lastSeenAt',
	'ip',
	'user_agent as userAgent',
] as const;

/** Returns a page of a user's live sessions, newest sign-in first; `exceptId` is a session to leave out. */
export function listLiveSessions(
	db: Db,
	query: LiveSessionsQuery & {
		exceptId: string | undefined;
		after: { createdAt: string; id: string } | null;
		limit: number;
	},
) {
	const { after, exceptId } = query;
	let page = liveSessions(db, query)
		.select(listedColumns)
		.$call(pageAfter(after && [after.createdAt, after.id], ['created_at', 'id'], 'desc', query.limit));
	if (exceptId !== undefined) page = page.where('id', '!=', exceptId);
	return page.execute();
}

export function findLiveSession(db: Db, query: LiveSessionsQuery & { id: string }) {
	return liveSessions(db, query).select(listedColumns).where('id', '=', query.id).executeTakeFirst();
}

export function countLiveSessions(db: Db, query: LiveSessionsQuery): Promise<number> {
	return countRows(liveSessions(db, query));
}
