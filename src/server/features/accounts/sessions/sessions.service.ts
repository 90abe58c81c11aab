import * as z from 'zod';
import type { Session, sessions } from '#contract/accounts/sessions.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import { type Caller, requireActor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { consumeRateLimits, rateLimits } from '../../../platform/auth/rate-limits/rate-limits.ts';
import * as queries from '../../../platform/auth/sessions/sessions.queries.ts';
import { publishSessionsChanged, publishSessionsEnded } from '../../../platform/auth/sessions/sessions.ts';
import { isoAt } from '../../../platform/clock.ts';
import { toPage, unpackCursor } from '../../../platform/cursor.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { parseUserAgent } from '../../../platform/http/user-agent.ts';
import { recordAudit } from '../../audit/index.ts';
import { findUserById, findUserByIdForUpdate } from '../users/users.queries.ts';

type SessionRow = NonNullable<Awaited<ReturnType<typeof queries.findLiveSession>>>;

type PageInput = InputOf<typeof sessions.list>;
type SessionsToEnd = Parameters<typeof queries.setSessionsEnded>[1];

const cursorSchema = z.tuple([z.string(), z.string()]);

/** Returns a page of the caller's sessions; the first page starts with the current session. */
export async function listOwnSessions(deps: Deps, caller: Caller, input: PageInput) {
	const actor = requireActor(caller);
	return listSessions(deps, caller, { ...input, userId: actor.userId, ownSessionId: actor.sessionId });
}

/** Returns a page of any user's sessions, for admins. @throws AppError NOT_FOUND */
export async function listUserSessions(deps: Deps, caller: Caller, { id, ...page }: InputOf<typeof sessions.listOf>) {
	await assertUserExists(deps, id);
	return listSessions(deps, caller, { ...page, userId: id, ownSessionId: undefined });
}

/** Ends one of the caller's sessions, including its streams and transfers. @throws AppError NOT_FOUND */
export async function endOwnSession(deps: Deps, caller: Caller, sessionId: string) {
	const { userId } = requireActor(caller);
	if ((await endOwnSessions(deps, caller, { userId, sessionId })) === 0) throw new AppError('NOT_FOUND');
}

export async function endOtherSessions(deps: Deps, caller: Caller): Promise<{ ended: number }> {
	const { userId, sessionId } = requireActor(caller);
	return { ended: await endOwnSessions(deps, caller, { userId, exceptId: sessionId }) };
}

/** Ends one session of any user, for admins. @throws AppError NOT_FOUND, also for a session of another user */
export async function endUserSession(deps: Deps, caller: Caller, { id, sessionId }: InputOf<typeof sessions.endOf>) {
	if ((await endSessions(deps, caller, { userId: id, sessionId })) === 0) throw new AppError('NOT_FOUND');
}

/** Ends all sessions of any user, for admins; the caller's current session never ends. @throws AppError NOT_FOUND */
export async function endAllUserSessions(deps: Deps, caller: Caller, id: string): Promise<{ ended: number }> {
	await assertUserExists(deps, id);
	return { ended: await endSessions(deps, caller, { userId: id, exceptId: requireActor(caller).sessionId }) };
}

async function listSessions(
	deps: Deps,
	caller: Caller,
	{ userId, ownSessionId, cursor, limit }: PageInput & { userId: string; ownSessionId: string | undefined },
) {
	const now = isoAt(deps.clock);
	const after = unpackCursor(cursor, cursorSchema);
	const rows = await queries.listLiveSessions(deps.db, {
		userId,
		now,
		exceptId: ownSessionId,
		after: after && { createdAt: after[0], id: after[1] },
		limit: limit + 1,
	});
	const { page, nextCursor } = toPage(rows, limit, (last) => [last.createdAt, last.id]);
	const currentSession =
		ownSessionId === undefined || after !== null
			? undefined
			: await queries.findLiveSession(deps.db, { userId, now, id: ownSessionId });
	return {
		items: [...(currentSession === undefined ? [] : [currentSession]), ...page].map((row) =>
			presentSession(row, caller),
		),
		nextCursor,
		total: await queries.countLiveSessions(deps.db, { userId, now }),
	};
}

function presentSession(row: SessionRow, caller: Caller): Session {
	return {
		id: row.id,
		device: parseUserAgent(row.userAgent),
		ip: row.ip,
		signedInAt: row.createdAt,
		lastSeenAt: row.lastSeenAt,
		isThis: row.id === caller.actor?.sessionId,
	};
}

/**
 * Ends sessions of the caller. Only the first 100 calls a day add an audit entry. Otherwise a user could flood the
 * audit list by repeatedly signing in and ending the session.
 * @returns the number of ended sessions
 */
function endOwnSessions(deps: Deps, caller: Caller, target: SessionsToEnd): Promise<number> {
	return endSessions(deps, caller, target, async (tx) => {
		const [isWithinLimit] = await consumeRateLimits(deps, tx, rateLimits.sessionEndsPerAccount, [
			requireActor(caller).email,
		]);
		return isWithinLimit === true;
	});
}

/**
 * Ends sessions, and notifies every process. Adds an audit entry if a session has ended and `mayRecord` returns true.
 * @returns the number of ended sessions
 */
async function endSessions(
	deps: Deps,
	caller: Caller,
	target: SessionsToEnd,
	mayRecord: (tx: Db) => Promise<boolean> = async () => true,
): Promise<number> {
	const sessionIds = await inTransaction(deps.db, async (tx) => {
		await findUserByIdForUpdate(tx, target.userId);
		const ids = await queries.setSessionsEnded(tx, target, 'device', isoAt(deps.clock));
		if (ids.length > 0 && (await mayRecord(tx))) {
			await recordAudit(deps, tx, caller, 'sessions-ended', ['user', target.userId], { count: ids.length });
		}
		return ids;
	});
	publishSessionsEnded(deps, target.userId, sessionIds, 'device');
	if (sessionIds.length > 0) publishSessionsChanged(deps, target.userId);
	return sessionIds.length;
}

async function assertUserExists(deps: Deps, id: string): Promise<void> {
	if ((await findUserById(deps.db, id)) === undefined) throw new AppError('NOT_FOUND');
}
