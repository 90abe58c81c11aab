import * as z from 'zod';
import { type EditionKey, partAndLanguage } from '#contract/book/editions.ts';
import type { EditionReading, readingStats } from '#contract/book/reading-statistics.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import type { MemberCaller } from '../../../../platform/actor.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { isoAt } from '../../../../platform/clock.ts';
import { toPage, unpackCursor } from '../../../../platform/cursor.ts';
import { acquireNamedLock, inTransaction } from '../../../../platform/database/transaction.ts';
import type { Deps } from '../../../../platform/deps.ts';
import { yieldToEventLoop } from '../../../../platform/event-loop.ts';
import { dayOf, startOfDay } from '../../../../platform/format.ts';
import { hasAuditEntry, recordAudit } from '../../../audit/index.ts';
import { listEditionKeys } from '../../shelf/shelf.service.ts';
import { basisPoints } from '../reading.presenter.ts';
import * as queries from './statistics.queries.ts';

const daySeconds = 86_400;
/** Users per query on SQLite, where other requests wait for each query. On PostgreSQL one query reads all users. */
const usersPerBatch = 1000;
const finishedShare = 0.98 * basisPoints;
const namesViewedAction = 'reading-names-asked';

type ReadingProgress = Omit<queries.ReadingProgressRow, 'edition' | 'share'> & { share: number };

export async function summarizeReading(deps: Deps): Promise<{ readers: number; editions: EditionReading[] }> {
	const { db } = deps;
	const keys = await listEditionKeys(deps);
	if (keys.length === 0) return { readers: 0, editions: [] };
	const since = { week: isoAt(deps.clock, -7 * daySeconds), month: isoAt(deps.clock, -30 * daySeconds) };
	const progressByEdition = new Map<string, ReadingProgress[]>(keys.map((key) => [key, []]));
	let readers = 0;
	for (let after: string | null = ''; after !== null; ) {
		const upTo: string | null =
			deps.connection.kind === 'sqlite' ? await queries.findBatchEnd(db, after, usersPerBatch) : null;
		for (const row of await queries.countReaders(db, { after, upTo }, keys, since)) {
			const { edition, share } = row;
			const [count, week, month] = [Number(row.count), Number(row.week), Number(row.month)];
			if (edition === null || share === null) readers += count;
			else progressByEdition.get(edition)?.push({ share, count, week, month });
		}
		after = upTo;
		await yieldToEventLoop();
	}
	return { readers, editions: keys.map((key) => summarizeEdition(key, progressByEdition.get(key) ?? [])) };
}

function summarizeEdition(key: EditionKey, progress: readonly ReadingProgress[]): EditionReading {
	const sum = (of: (row: ReadingProgress) => number) => progress.reduce((total, row) => total + of(row), 0);
	const opened = sum(({ count }) => count);
	const tenths = Array.from({ length: 10 }, (_, tenth) =>
		sum(({ share, count }) => (Math.min(9, Math.floor(share / (basisPoints / 10))) === tenth ? count : 0)),
	);
	return {
		key,
		...partAndLanguage(key),
		opened,
		medianPercent: opened === 0 ? null : percentOf(medianShare(progress)),
		meanPercent: opened === 0 ? null : percentOf(sum(({ share, count }) => share * count) / opened),
		tenths,
		finished: sum(({ share, count }) => (share >= finishedShare ? count : 0)),
		readIn7Days: sum(({ week }) => week),
		readIn30Days: sum(({ month }) => month),
	};
}

function medianShare(progress: readonly ReadingProgress[]): number {
	const shares = progress.flatMap(({ share, count }) => Array.from({ length: count }, () => share));
	const sorted = shares.toSorted((a, b) => a - b);
	const middle = (sorted.length - 1) / 2;
	return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

function percentOf(share: number): number {
	return Math.round((share / basisPoints) * 1000) / 10;
}

const cursorSchemas = {
	furthest: z.tuple([z.number(), z.string()]),
	read: z.tuple([z.string(), z.string()]),
} as const;

/** Lists an edition's readers with their names; adds an audit entry. @throws AppError NOT_FOUND, INVALID_INPUT */
export async function listReaders(deps: Deps, caller: MemberCaller, input: InputOf<typeof readingStats.people>) {
	const { edition, sort, limit } = input;
	if (!(await listEditionKeys(deps)).includes(edition)) throw new AppError('NOT_FOUND');
	const after: [string | number, string] | null = unpackCursor(input.cursor, cursorSchemas[sort]);
	await recordNamesViewed(deps, caller);
	const rows = await queries.listReaders(deps.db, { edition, sort, limit: limit + 1 }, after).execute();
	const { page, nextCursor } = toPage(rows, limit, (last) => [sort === 'furthest' ? last.share : last.readAt, last.id]);
	return {
		items: page.map(({ id, email, name, share, readAt }) => {
			return { id, email, name, percent: percentOf(share), lastReadAt: readAt };
		}),
		nextCursor,
	};
}

/** Adds one audit entry per admin and day (business time zone), however many pages of the list are requested. */
async function recordNamesViewed(deps: Deps, caller: MemberCaller): Promise<void> {
	const { userId } = caller.actor;
	const { TIME_ZONE: timeZone } = deps.config;
	const today = startOfDay(dayOf(isoAt(deps.clock), timeZone), timeZone);
	if (await hasAuditEntry(deps.db, userId, namesViewedAction, today)) return;
	await inTransaction(deps.db, async (tx) => {
		await acquireNamedLock(tx, `${namesViewedAction}-${userId}`);
		if (await hasAuditEntry(tx, userId, namesViewedAction, today)) return;
		await recordAudit(deps, tx, caller, namesViewedAction, ['system', 'reading']);
	});
}
