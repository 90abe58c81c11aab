import { limits } from '#contract/core/limits.ts';
import type { Actor, Caller } from '../../actor.ts';
import { isoAt } from '../../clock.ts';
import type { Db } from '../../database/schema.ts';
import { afterCommit } from '../../database/transaction.ts';
import type { Deps } from '../../deps.ts';
import { newId, newToken } from '../../ids.ts';
import type { EndedSessions } from '../../realtime/bus.ts';
import type { LiveConnectionSummary } from '../../realtime/live-connections.ts';
import { findSecuritySetting } from '../security-setting/security-setting.queries.ts';
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
 * What a cookie stands for. `inactive`: its session was ended by a deactivation that still holds: grants nothing, but
 * is told so. `expired`: there was a session; signing in again may lead back.
 */
export type SessionState =
	| { state: 'none' | 'expired' | 'inactive' }
	/** `isProlonged`: it lasts longer now, and so should its cookie. */
	| { state: 'live'; actor: Actor; isProlonged: boolean };

/** Looks a cookie's token up and, every five minutes, prolongs the session. */
export async function resolveSession(deps: Deps, token: string | undefined): Promise<SessionState> {
	if (token === undefined || token === '') return { state: 'none' };
	const row = await findSessionByTokenHash(deps.db, deps.secrets.hashToken(token));
	if (row === undefined) return { state: 'none' };
	// A session that had ended otherwise hears nothing of what came after.
	const mayHear = row.endedReason === null || row.endedReason === 'deactivation';
	if (mayHear && row.active === 0) return { state: 'inactive' };
	if (row.endedAt !== null) return { state: row.endedReason === 'expiry' ? 'expired' : 'none' };
	const now = isoAt(deps.clock);
	if (row.expiresAt <= now) return { state: 'expired' };
	const isProlonged = row.lastSeenAt < isoAt(deps.clock, -extendEverySeconds);
	if (isProlonged) await extendSession(deps.db, row.sessionId, now, isoAt(deps.clock, sessionSeconds));
	return { state: 'live', actor: (await findImpersonation(deps, row, now)) ?? (await toActor(deps, row)), isProlonged };
}

type SessionRow = NonNullable<Awaited<ReturnType<typeof findSessionByTokenHash>>>;

async function toActor(deps: Deps, row: SessionRow): Promise<Actor> {
	return {
		userId: row.userId,
		email: row.email,
		name: row.name,
		role: row.role,
		sessionId: row.sessionId,
		hasInitialPassword: row.hasInitialPassword === 1,
		mustSetUpTwoFactor: await mustSetUpTwoFactor(deps, row),
		impersonatedBy: null,
	};
}

/** Only an admin without two-factor sign-in costs a second look. */
async function mustSetUpTwoFactor({ db }: Deps, row: SessionRow): Promise<boolean> {
	if (row.role !== 'admin' || row.twoFactorSince !== null) return false;
	return (await findSecuritySetting(db)).isTwoFactorRequiredOfAdmins;
}

/** While an admin sees the product as a member does, the session is that member's, with no right beyond theirs. */
async function findImpersonation(deps: Deps, row: SessionRow, now: string): Promise<Actor | undefined> {
	const { viewedUserId, viewEndsAt } = row;
	if (viewedUserId === null || viewEndsAt === null || viewEndsAt <= now) return undefined;
	if (row.role !== 'admin' || (await mustSetUpTwoFactor(deps, row))) return undefined;
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

/** A notification of PostgreSQL holds 8,000 bytes. */
const sessionsPerMessage = 200;

/** After the commit: everything that these sessions hold open is closed, on every process. */
export function publishSessionsEnded(deps: Deps, userId: string, ids: string[], reason: EndedSessions['reason']): void {
	for (let start = 0; start < ids.length; start += sessionsPerMessage) {
		const sessionIds = ids.slice(start, start + sessionsPerMessage);
		deps.bus.publish({ kind: 'ended', ended: { userId, sessionIds, reason } });
	}
}

/** After the commit: lists of this person's devices, their own and admins', are to look again. */
export function publishSessionsChanged(deps: Deps, userId: string): void {
	for (const audience of [{ to: 'user', userId }, { to: 'admins' }] as const)
		deps.bus.publish({ kind: 'hint', audience, hint: { topic: 'sessions' } });
}

const sessionsPerQuery = 500;

/**
 * Closes what is still held open here by sessions that are over: by age, or by an end that nobody told, because the bus
 * was lost or whoever ended it was killed before it spoke. Likewise with other roles and views than the open ones have.
 */
export async function endStaleConnections(deps: Deps): Promise<void> {
	// As it is before anybody is asked: what is told meanwhile is newer than the answer.
	const held = Map.groupBy(deps.live.list(), ({ sessionId }) => sessionId);
	const all = [...held.keys()];
	for (let start = 0; start < all.length; start += sessionsPerQuery) {
		const ids = all.slice(start, start + sessionsPerQuery);
		const known = new Map((await findSessionStates(deps.db, ids)).map((session) => [session.id, session]));
		for (const id of ids) {
			const session = known.get(id);
			if (session === undefined) deps.live.endSession(id, 'deletion');
			else if (session.endedAt !== null || session.expiresAt <= isoAt(deps.clock))
				deps.live.endSession(id, session.endedReason ?? 'expiry');
			else applyMissedChanges(deps, session, held.get(id) ?? []);
		}
	}
}

/** The session goes on, with another role or as somebody else than what it holds open. */
function applyMissedChanges(
	deps: Deps,
	session: Awaited<ReturnType<typeof findSessionStates>>[number],
	held: LiveConnectionSummary[],
): void {
	const other = held.find(({ role }) => role !== session.role);
	if (other !== undefined) deps.bus.publishLocally({ kind: 'role', userId: other.userId, role: session.role });
	if (held.some(({ viewedUserId }) => (viewedUserId ?? null) !== session.viewedUserId))
		deps.live.endSession(session.id, 'view');
}

/**
 * Opens a session inside the caller's transaction; where the user has `limits.sessionsOfUserMax` already, one is deleted:
 * an ended one, else the one that was used longest ago. @returns the token for the cookie; only its hash is kept.
 */
export async function createSession(
	deps: Deps,
	tx: Db,
	userId: string,
	caller: Caller,
): Promise<{ token: string; sessionId: string }> {
	const token = newToken();
	const sessionId = newId();
	const endedIds = await deleteExcessSessions(tx, { userId, kept: limits.sessionsPerUserMax - 1 });
	if (endedIds.length > 0) afterCommit(() => publishSessionsEnded(deps, userId, endedIds, 'expiry'));
	await insertSession(tx, {
		id: sessionId,
		tokenHash: deps.secrets.hashToken(token),
		userId,
		now: isoAt(deps.clock),
		expiresAt: isoAt(deps.clock, sessionSeconds),
		ip: caller.ip,
		userAgent: caller.userAgent,
	});
	return { token, sessionId };
}

/** Gives a session another token inside the caller's transaction: the old cookie opens nothing any more. @returns null when it is over */
export async function rotateSessionToken(deps: Deps, tx: Db, sessionId: string): Promise<string | null> {
	const token = newToken();
	return (await replaceToken(tx, sessionId, deps.secrets.hashToken(token))) ? token : null;
}
