import { limits } from '#contract/core/limits.ts';
import type { Actor, Caller } from '../../actor.ts';
import { isoAt } from '../../clock.ts';
import type { Db } from '../../database/schema.ts';
import { parseSetting, securitySetting } from '../../database/settings.ts';
import { afterCommit } from '../../database/transaction.ts';
import type { Deps } from '../../deps.ts';
import { newId, newToken } from '../../ids.ts';
import type { EndedSessions } from '../../realtime/bus.ts';
import type { LiveConnectionSummary } from '../../realtime/live-connections.ts';
import {
	deleteExcessSessions,
	extendSession,
	findImpersonableMember,
	findSessionByTokenHash,
	findSessionStates,
	insertSession,
	replaceToken,
} from './sessions.queries.ts';

export const sessionCookie = 'folio_session';
export const sessionSeconds = 30 * 24 * 3600;
const extendEverySeconds = 300;

/**
 * State of a cookie's session. `none`: there is no session, or it was ended before it expired. `inactive`: the user is
 * deactivated. `expired`: the session has expired, and the user may sign in again.
 */
export type SessionState =
	| { state: 'none' | 'expired' | 'inactive' }
	/** `isProlonged`: the session was prolonged just now, so its cookie has to be set again. */
	| { state: 'live'; actor: Actor; isProlonged: boolean };

/** Finds the session of a cookie's token. Prolongs the session at most once every five minutes. */
export async function resolveSession(deps: Deps, token: string | undefined): Promise<SessionState> {
	if (token === undefined || token === '') return { state: 'none' };
	const row = await findSessionByTokenHash(deps.db, deps.secrets.hashToken(token));
	if (row === undefined) return { state: 'none' };
	// A session that ended for another reason must not reveal a later deactivation.
	const canRevealDeactivation = row.endedReason === null || row.endedReason === 'deactivation';
	if (canRevealDeactivation && row.active === 0) return { state: 'inactive' };
	if (row.endedAt !== null) return { state: row.endedReason === 'expiry' ? 'expired' : 'none' };
	const now = isoAt(deps.clock);
	if (row.expiresAt <= now) return { state: 'expired' };
	const isProlonged = row.lastSeenAt < isoAt(deps.clock, -extendEverySeconds);
	if (isProlonged) await extendSession(deps.db, row.sessionId, now, isoAt(deps.clock, sessionSeconds));
	return { state: 'live', actor: (await findImpersonation(deps, row, now)) ?? toActor(row), isProlonged };
}

type SessionRow = NonNullable<Awaited<ReturnType<typeof findSessionByTokenHash>>>;

function toActor(row: SessionRow): Actor {
	return {
		userId: row.userId,
		email: row.email,
		name: row.name,
		role: row.role,
		sessionId: row.sessionId,
		hasInitialPassword: row.hasInitialPassword === 1,
		mustSetUpTwoFactor: mustSetUpTwoFactor(row),
		impersonatedBy: null,
	};
}

function mustSetUpTwoFactor(row: SessionRow): boolean {
	if (row.role !== 'admin' || row.twoFactorSince !== null) return false;
	return parseSetting(securitySetting, row.security).isTwoFactorRequiredOfAdmins;
}

/** Returns the impersonated member as the actor of an admin's session, with no access beyond the member's. */
async function findImpersonation(deps: Deps, row: SessionRow, now: string): Promise<Actor | undefined> {
	const { viewedUserId, viewEndsAt } = row;
	if (viewedUserId === null || viewEndsAt === null || viewEndsAt <= now) return undefined;
	if (row.role !== 'admin' || mustSetUpTwoFactor(row)) return undefined;
	const member = await findImpersonableMember(deps.db, viewedUserId);
	if (member === undefined) return undefined;
	return {
		userId: member.id,
		email: member.email,
		name: member.name,
		role: 'user',
		sessionId: row.sessionId,
		hasInitialPassword: member.hasInitialPassword === 1,
		mustSetUpTwoFactor: false,
		impersonatedBy: { userId: row.userId, email: row.email, endsAt: viewEndsAt },
	};
}

/** Keeps a message below the 8,000 bytes of a PostgreSQL notification. */
const sessionsPerMessage = 200;

/** Closes the open connections of ended sessions in every process. Call after the commit. */
export function publishSessionsEnded(deps: Deps, userId: string, ids: string[], reason: EndedSessions['reason']): void {
	for (let start = 0; start < ids.length; start += sessionsPerMessage) {
		const sessionIds = ids.slice(start, start + sessionsPerMessage);
		deps.bus.publish({ kind: 'ended', ended: { userId, sessionIds, reason } });
	}
}

/** Makes the browsers of this user and of admins refetch the list of the user's devices. Call after the commit. */
export function publishSessionsChanged(deps: Deps, userId: string): void {
	for (const audience of [{ to: 'user', userId }, { to: 'admins' }] as const)
		deps.bus.publish({ kind: 'event', audience, event: { topic: 'sessions' } });
}

const sessionsPerQuery = 500;

/**
 * Closes connections of sessions that have expired, or whose end was not reported because the bus or the sending
 * process failed. Also applies missed changes of role and impersonation.
 */
export async function endStaleConnections(deps: Deps): Promise<void> {
	// Listed before the query. Otherwise a change during the query would be undone by the older result.
	const connectionsBySession = Map.groupBy(deps.live.list(), ({ sessionId }) => sessionId);
	const allIds = [...connectionsBySession.keys()];
	for (let start = 0; start < allIds.length; start += sessionsPerQuery) {
		const ids = allIds.slice(start, start + sessionsPerQuery);
		const sessions = new Map((await findSessionStates(deps.db, ids)).map((session) => [session.id, session]));
		for (const id of ids) {
			const session = sessions.get(id);
			if (session === undefined) deps.live.endSession(id, 'deletion');
			else if (session.endedAt !== null || session.expiresAt <= isoAt(deps.clock))
				deps.live.endSession(id, session.endedReason ?? 'expiry');
			else applyMissedChanges(deps, session, connectionsBySession.get(id) ?? []);
		}
	}
}

/** Applies a changed role or impersonation of a continuing session to its open connections. */
function applyMissedChanges(
	deps: Deps,
	session: Awaited<ReturnType<typeof findSessionStates>>[number],
	connections: LiveConnectionSummary[],
): void {
	const outdated = connections.find(({ role }) => role !== session.role);
	if (outdated !== undefined) deps.bus.publishLocally({ kind: 'role', userId: outdated.userId, role: session.role });
	if (connections.some(({ viewedUserId }) => (viewedUserId ?? null) !== session.viewedUserId))
		deps.live.endSession(session.id, 'view');
}

/**
 * Creates a session inside the caller's transaction. If the user has `limits.sessionsPerUserMax` sessions already, an
 * ended one is deleted, otherwise the least recently used one. @returns the token for the cookie; only its hash is
 * stored
 */
export async function createSession(deps: Deps, tx: Db, userId: string, caller: Caller) {
	const token = newToken();
	const sessionId = newId();
	const endedIds = await deleteExcessSessions(tx, { userId, kept: limits.sessionsPerUserMax - 1 });
	if (endedIds.length > 0) afterCommit(() => publishSessionsEnded(deps, userId, endedIds, 'expiry'));
	const now = isoAt(deps.clock);
	await insertSession(tx, {
		id: sessionId,
		token_hash: deps.secrets.hashToken(token),
		user_id: userId,
		created_at: now,
		last_seen_at: now,
		expires_at: isoAt(deps.clock, sessionSeconds),
		ip: caller.ip,
		user_agent: caller.userAgent,
	});
	return { token, sessionId };
}

/** Replaces a session's token, so that the old cookie becomes invalid. @returns null if the session has ended */
export async function rotateSessionToken(deps: Deps, tx: Db, sessionId: string): Promise<string | null> {
	const token = newToken();
	return (await replaceToken(tx, sessionId, deps.secrets.hashToken(token))) ? token : null;
}
