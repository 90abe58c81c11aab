import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';

/**
 * A cell that no spreadsheet takes for a formula: what begins like one gets an apostrophe before it, as Excel itself
 * writes text. Source: OWASP, CSV Injection; with the full-width forms of the same signs.
 */
export function neutralise(cell: string): string {
	return /^[=+\-@\t\r\n＝＋－＠]/u.test(cell) ? `'${cell}` : cell;
}

/**
 * Rows as CSV (RFC 4180) for spreadsheets: UTF-8 with a byte order mark, every cell quoted and neutralised. Rows are
 * asked for as fast as the bytes are taken; a stream that is closed early closes `rows` too.
 */
export function csvStream(head: readonly string[], rows: AsyncIterable<readonly string[]>): Readable {
	async function* lines() {
		yield head.map(neutralise);
		for await (const row of rows) yield row.map(neutralise);
	}
	const csv = stringify({ bom: true, quoted: true, quoted_empty: true, record_delimiter: 'windows' });
	// A failure destroys the answer: half a file must not look whole.
	pipeline(Readable.from(lines(), { highWaterMark: 16 }), csv, () => {});
	return csv;
}
