import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

const folder = join(import.meta.dirname, '..', '..', '..', 'demo');

/** Reads a file of the repository's `demo` folder. */
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
