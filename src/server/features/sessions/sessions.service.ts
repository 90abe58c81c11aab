import * as z from 'zod';
import type { Session } from '#contract/sessions/sessions.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Actor, Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { rateLimits, takeAllowances } from '../../platform/auth/rate-limits.ts';
import * as queries from '../../platform/auth/sessions.queries.ts';
import { publishEnded, publishSessions } from '../../platform/auth/sessions.ts';
import { isoAt } from '../../platform/clock.ts';
import { packCursor, unpackCursor } from '../../platform/cursor.ts';
import type { Deps } from '../../platform/deps.ts';
import { describeDevice } from '../../platform/devices.ts';
import { findUserById } from '../account/account.service.ts';
import { recordAudit } from '../audit/audit.service.ts';

type SessionRow = NonNullable<Awaited<ReturnType<typeof queries.findLiveSession>>>;

interface PageInput {
	cursor?: string | undefined;
	limit: number;
}
interface SessionPage {
	items: Session[];
	nextCursor: string | null;
	total: number;
}

const place = z.tuple([z.string(), z.string()]);

/** A page of one's own sessions; the first begins with the one that asks. */
export async function listOwnSessions(deps: Deps, caller: Caller, input: PageInput): Promise<SessionPage> {
	const actor = requireActor(caller);
	return listSessions(deps, caller, { ...input, userId: actor.userId, leadId: actor.sessionId });
}

/** A page of anybody's sessions, for admins. @throws AppError NOT_FOUND */
export async function listSessionsOf(
	deps: Deps,
	caller: Caller,
	{ id, ...page }: PageInput & { id: string },
): Promise<SessionPage> {
	await requirePerson(deps, id);
	return listSessions(deps, caller, { ...page, userId: id, leadId: undefined });
}

/** Ends one of one's own sessions, streams and transfers included. @throws AppError NOT_FOUND */
export async function endOwnSession(deps: Deps, caller: Caller, sessionId: string): Promise<Record<string, never>> {
	const { userId } = requireActor(caller);
	if ((await endOwnSessions(deps, caller, { userId, sessionId })) === 0) throw new AppError('NOT_FOUND');
	return {};
}

/** Ends all of one's own sessions but the one that asks. @returns how many */
export async function endOtherSessions(deps: Deps, caller: Caller): Promise<{ ended: number }> {
	const { userId, sessionId } = requireActor(caller);
	return { ended: await endOwnSessions(deps, caller, { userId, exceptId: sessionId }) };
}

/** Ends one of anybody's sessions, for admins. @throws AppError NOT_FOUND, for a session of somebody else too */
export async function endSessionOf(
	deps: Deps,
	caller: Caller,
	{ id, sessionId }: { id: string; sessionId: string },
): Promise<Record<string, never>> {
	if ((await endSessions(deps, caller, { userId: id, sessionId })) === 0) throw new AppError('NOT_FOUND');
	return {};
}

/** Ends all of anybody's sessions, for admins; the one that asks goes on. @throws AppError NOT_FOUND */
export async function endSessionsOf(deps: Deps, caller: Caller, id: string): Promise<{ ended: number }> {
	await requirePerson(deps, id);
	return { ended: await endSessions(deps, caller, { userId: id, exceptId: requireActor(caller).sessionId }) };
}

async function listSessions(
	deps: Deps,
	caller: Caller,
	{ userId, leadId, cursor, limit }: PageInput & { userId: string; leadId: string | undefined },
): Promise<SessionPage> {
	const now = isoAt(deps.clock);
	const after = unpackCursor(cursor, place);
	const rows = await queries.listLiveSessions(deps.db, {
		userId,
		now,
		exceptId: leadId,
		after: after && { createdAt: after[0], id: after[1] },
		limit: limit + 1,
	});
	const shown = rows.slice(0, limit);
	const last = shown.at(-1);
	const lead =
		leadId === undefined || after !== null
			? undefined
			: await queries.findLiveSession(deps.db, { userId, now, id: leadId });
	return {
		items: [...(lead === undefined ? [] : [lead]), ...shown].map((row) => presentSession(row, caller)),
		nextCursor: rows.length > shown.length && last ? packCursor([last.createdAt, last.id]) : null,
		total: await queries.countLiveSessions(deps.db, { userId, now }),
	};
}

function presentSession(row: SessionRow, caller: Caller): Session {
	return {
		id: row.id,
		device: describeDevice(row.userAgent),
		ip: row.ip,
		signedInAt: row.createdAt,
		lastSeenAt: row.lastSeenAt,
		isThis: row.id === caller.actor?.sessionId,
	};
}

/**
 * Ends sessions without limit, but writes an audit entry for the first 100 a day only: signing in and ending the session
 * again and again must not fill Audit. @returns how many
 */
function endOwnSessions(deps: Deps, caller: Caller, which: EndedSessionsOf): Promise<number> {
	return endSessions(deps, caller, which, async (tx) => {
		const [isLeft] = await takeAllowances(deps, tx, rateLimits.sessionEndsPerAccount, [requireActor(caller).email]);
		return isLeft === true;
	});
}

interface EndedSessionsOf {
	userId: string;
	sessionId?: string;
	exceptId?: string;
}

/** Ends, records it when something has ended, and tells every process. @returns how many */
async function endSessions(
	deps: Deps,
	caller: Caller,
	which: EndedSessionsOf,
	mayRecord: (tx: Db) => Promise<boolean> = async () => true,
): Promise<number> {
	const sessionIds = await inTransaction(deps.db, async (tx) => {
		const ids = await queries.markSessionsEnded(tx, which, 'device', isoAt(deps.clock));
		if (ids.length > 0 && (await mayRecord(tx))) {
			await recordAudit(deps, tx, caller, {
				action: 'sessions-ended',
				subjectKind: 'user',
				subjectId: which.userId,
				detail: { count: ids.length },
			});
		}
		return ids;
	});
	publishEnded(deps, which.userId, sessionIds, 'device');
	if (sessionIds.length > 0) publishSessions(deps, which.userId);
	return sessionIds.length;
}

async function requirePerson(deps: Deps, id: string): Promise<void> {
	if ((await findUserById(deps.db, id)) === undefined) throw new AppError('NOT_FOUND');
}

function requireActor({ actor }: Caller): Actor {
	if (actor === null) throw new AppError('UNAUTHORIZED');
	return actor;
}
