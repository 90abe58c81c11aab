import * as z from 'zod';
import type { EditionReading } from '#contract/reader/reading-stats.ts';
import { type EditionKey, partAndLanguage } from '#contract/settings/book-settings.ts';
import { lockName } from '../../db/row-lock.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { MemberCaller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import { packCursor, unpackCursor } from '../../platform/cursor.ts';
import type { Deps } from '../../platform/deps.ts';
import { dayOf, startOfDay } from '../../platform/format.ts';
import { letOthers } from '../../platform/turns.ts';
import { hasDone, recordAudit } from '../audit/audit.service.ts';
import { listEditionKeys } from './reader.service.ts';
import { parts } from './reading.presenting.ts';
import * as queries from './reading-stats.queries.ts';

const daySeconds = 86_400;
/** People that one question goes through on SQLite, where everybody else waits meanwhile. PostgreSQL is asked for all at once. */
const peoplePerStep = 1000;
const finishedShare = 0.98 * parts;
const namesAsked = 'reading-names-asked';

/** How many readers stand at a share of an edition. */
interface Standing {
	share: number;
	count: number;
	week: number;
	month: number;
}

/** How far readers are in each assigned edition, in numbers that name nobody. */
export async function summariseReading(deps: Deps): Promise<{ readers: number; editions: EditionReading[] }> {
	const { db } = deps;
	const keys = await listEditionKeys(deps);
	if (keys.length === 0) return { readers: 0, editions: [] };
	const since = { week: isoAt(deps.clock, -7 * daySeconds), month: isoAt(deps.clock, -30 * daySeconds) };
	const standings = new Map<string, Standing[]>(keys.map((key) => [key, []]));
	let readers = 0;
	for (let after: string | null = ''; after !== null; ) {
		const upTo: string | null =
			deps.connection.kind === 'sqlite' ? await queries.findStepEnd(db, after, peoplePerStep) : null;
		for (const row of await queries.countReaders(db, { after, upTo }, keys, since)) {
			const { edition, share } = row;
			const [count, week, month] = [Number(row.count), Number(row.week), Number(row.month)];
			if (edition === null || share === null) readers += count;
			else standings.get(edition)?.push({ share, count, week, month });
		}
		after = upTo;
		await letOthers();
	}
	return { readers, editions: keys.map((key) => summariseEdition(key, standings.get(key) ?? [])) };
}

function summariseEdition(key: EditionKey, standings: readonly Standing[]): EditionReading {
	const sum = (of: (standing: Standing) => number) => standings.reduce((total, each) => total + of(each), 0);
	const opened = sum(({ count }) => count);
	const tenths = Array.from({ length: 10 }, (_, tenth) =>
		sum(({ share, count }) => (Math.min(9, Math.floor(share / (parts / 10))) === tenth ? count : 0)),
	);
	return {
		key,
		...partAndLanguage(key),
		opened,
		medianPercent: opened === 0 ? null : percentOf(medianShare(standings, opened)),
		meanPercent: opened === 0 ? null : percentOf(sum(({ share, count }) => share * count) / opened),
		tenths,
		finished: sum(({ share, count }) => (share >= finishedShare ? count : 0)),
		readIn7Days: sum(({ week }) => week),
		readIn30Days: sum(({ month }) => month),
	};
}

/** The share in the middle, or between the two in the middle. */
function medianShare(standings: readonly Standing[], opened: number): number {
	const sorted = standings.toSorted((one, other) => one.share - other.share);
	const shareAt = (place: number) => {
		let passed = 0;
		for (const { share, count } of sorted) {
			passed += count;
			if (passed > place) return share;
		}
		return 0;
	};
	return (shareAt(Math.floor((opened - 1) / 2)) + shareAt(Math.floor(opened / 2))) / 2;
}

/** With one decimal. */
function percentOf(share: number): number {
	return Math.round((share / parts) * 1000) / 10;
}

const places = {
	furthest: z.tuple([z.number(), z.string()]),
	read: z.tuple([z.string(), z.string()]),
} as const;

interface ReadersInput {
	edition: EditionKey;
	sort: keyof typeof places;
	cursor?: string | undefined;
	limit: number;
}

/** A page of those who have opened an edition, by name; that somebody asked is written down. @throws AppError NOT_FOUND, INVALID_INPUT */
export async function listReaders(deps: Deps, caller: MemberCaller, input: ReadersInput) {
	const { edition, sort, limit } = input;
	if (!(await listEditionKeys(deps)).includes(edition)) throw new AppError('NOT_FOUND');
	const place: [string | number, string] | null = unpackCursor(input.cursor, places[sort]);
	const after = place && { value: place[0], id: place[1] };
	await recordAsking(deps, caller);
	const rows = await queries.listReaders(deps.db, { edition, sort, after, limit: limit + 1 }).execute();
	const page = rows.slice(0, limit);
	const last = page.at(-1);
	return {
		items: page.map(({ id, email, name, share, readAt }) => {
			return { id, email, name, percent: percentOf(share), lastReadAt: readAt };
		}),
		nextCursor:
			rows.length > page.length && last ? packCursor([sort === 'furthest' ? last.share : last.readAt, last.id]) : null,
	};
}

/** Once a day of the business time zone: a list of a thousand pages is one look at people. */
async function recordAsking(deps: Deps, caller: MemberCaller): Promise<void> {
	const { userId } = caller.actor;
	const { TIME_ZONE: timeZone } = deps.config;
	const today = startOfDay(dayOf(isoAt(deps.clock), timeZone), timeZone);
	if (await hasDone(deps.db, userId, namesAsked, today)) return;
	await inTransaction(deps.db, async (tx) => {
		await lockName(tx, `${namesAsked}-${userId}`);
		if (await hasDone(tx, userId, namesAsked, today)) return;
		await recordAudit(deps, tx, caller, { action: namesAsked, subjectKind: 'system', subjectId: 'reading' });
	});
}
