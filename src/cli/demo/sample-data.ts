import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Deps } from '#server/platform/deps.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'demo');

export function readSample(path: string): Promise<Buffer> {
	return readFile(join(folder, path));
}

/** Reads a table of `demo/tables`; a row may lack its last cells. */
export function readTable(name: string): Array<Partial<Record<string, string>>> {
	const format = { columns: true, delimiter: ';', relax_column_count: true } as const;
	return parse(readFileSync(join(folder, 'tables', `${name}.csv`)), format);
}

/** The buyers of the last 30 days, newest first, each with one order. `demo/README.md` describes the table. */
export const buyers = [...Map.groupBy(readTable('orders'), ({ mailbox }) => mailbox).values()].map((submissions) => {
	const [{ name = '', mailbox, upiId = '', status, signIns = '', locale, note = '' } = {}] = submissions;
	return {
		name,
		email: `${mailbox}@example.com`,
		upiId,
		proofs: submissions.map(({ daysAgo, time = '', phone = '', picture = '', utr = '' }) => {
			return { daysAgo: Number(daysAgo), time, phone, picture, utr };
		}),
		isPending: status === 'Pending',
		signIns: signIns.split(' ').filter(Boolean).map(Number),
		locale: locale === 'hi' ? ('hi' as const) : ('en' as const),
		note,
	};
});

export type Buyer = (typeof buyers)[number];

/** The latest time of the sample orders and their receipts (`demo/pictures/receipt-*`). */
const newest = Date.parse('2026-11-20T09:30:00+05:30');
const firstMinute = Date.parse('2026-11-20T00:00:00+05:30');
const dayMs = 86_400_000;

/**
 * Returns dependencies whose clock is fixed at a time of day in India, some days ago. Before 9:30, day 0 is yesterday.
 */
export type DepsAt = (daysAgo: number, time: string) => Deps;

/** Shifts the sample by whole days, so that its newest time is within the last 24 hours. */
export function createDepsAt(deps: Deps): DepsAt {
	const shiftMs = Math.floor((deps.clock.now().getTime() - newest) / dayMs) * dayMs;
	return (daysAgo, time) => {
		const [hours = 0, minutes = 0] = time.split(':').map(Number);
		const moment = new Date(firstMinute + shiftMs - daysAgo * dayMs + (hours * 60 + minutes) * 60_000);
		return { ...deps, clock: { now: () => moment } };
	};
}
