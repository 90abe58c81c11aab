import { pipeline as connect, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify';
import { AppError, type ErrorCode } from './app-error.ts';
import { yieldToEventLoop } from './event-loop.ts';

/** A row of a CSV text by column name. Missing fields are ''. */
export interface CsvRow<F extends string> {
	/** Number of the row's first line in the text, from 1. */
	line: number;
	record: Record<F, string>;
	/** Whether the row has text beyond the last column, probably because an unquoted field contains a delimiter. */
	isTooLong: boolean;
}

export const delimiters = [',', ';', '\t'];

/** All line ends. By default the parser recognises only the kind of the first line. */
const lineBreaks = ['\r\n', '\n', '\r'];
export const lineBreak = /\r\n|\n|\r/gu;

/**
 * Reads a CSV text (RFC 4180). The header may have the columns in any order and case, and more columns. Accepts a
 * byte-order mark, semicolons or tabs as delimiters, and all kinds of line ends, also mixed.
 * @throws AppError CSV_HEADER, CSV_BROKEN, CSV_TOO_LONG
 */
export async function readCsvRows<F extends string>(
	csv: string,
	columns: { required: readonly F[]; optional: readonly F[] },
	maxRows: number,
): Promise<Array<CsvRow<F>>> {
	const [header, ...rows] = await parseImport(csv, maxRows + 2);
	const names = (header?.cells ?? []).map((name) => name.trim().toLowerCase());
	if (columns.required.some((field) => !names.includes(field))) {
		throw new AppError('CSV_HEADER', { params: { columns: columns.required.join(', ') } });
	}
	if (rows.length > maxRows) throw new AppError('CSV_TOO_LONG', { params: { count: String(maxRows) } });
	const columnIndexes = [...columns.required, ...columns.optional].map(
		(field) => [field, names.indexOf(field)] as const,
	);
	return rows.map(({ line, cells }) => {
		const record = Object.fromEntries(columnIndexes.map(([field, index]) => [field, cells[index] ?? '']));
		const isTooLong = cells.slice(names.length).some((cell) => cell.trim() !== '');
		return { line, record: record as Record<F, string>, isTooLong };
	});
}

/** Returns the original text of the header and of the rows that start at one of `lines`; '' if `lines` is empty. */
export async function filterCsvRows(csv: string, lines: readonly number[]): Promise<string> {
	if (lines.length === 0) return '';
	const keptLines = new Set(lines);
	const [header, ...rows] = await parseImport(csv);
	const texts = [header, ...rows.filter(({ line }) => keptLines.has(line))].map((row) =>
		(row?.text ?? '').replace(/^[\r\n]+|[\r\n]+$/gu, ''),
	);
	return `${texts.join('\n')}\n`;
}

function parseImport(csv: string, maxRows?: number): Promise<ParsedRow[]> {
	const text = csv.replace(/^\uFEFF/u, '');
	return parseCsv(text, { delimiter: delimiterOf(text), brokenCode: 'CSV_BROKEN', maxRows });
}

interface ParsedRow {
	/** Number of the row's first line in the text, from 1. */
	line: number;
	cells: string[];
	/** Original text of the row, its line end included. */
	text: string;
}

interface ParseOptions {
	delimiter: string;
	/** Code of the error for a quotation mark that is not closed, with the parameter `line`. */
	brokenCode: ErrorCode;
	/** Further rows are left out. */
	maxRows?: number | undefined;
	/** A longer row counts as broken; 0 for no limit. */
	rowMaxBytes?: number;
}

/** Returns the rows of a CSV text that are not blank. @throws AppError with `brokenCode` */
export async function parseCsv(text: string, options: ParseOptions): Promise<ParsedRow[]> {
	const { delimiter, brokenCode, maxRows = Number.POSITIVE_INFINITY, rowMaxBytes = 0 } = options;
	const rows: ParsedRow[] = [];
	let linesRead = 0;
	const parser = parse({
		delimiter,
		record_delimiter: lineBreaks,
		relax_column_count: true,
		relax_quotes: true,
		max_record_size: rowMaxBytes,
		raw: true,
		on_record(parsed) {
			const { record: cells, raw } = parsed as unknown as { record: string[]; raw: string };
			if (rows.length < maxRows && cells.some((cell) => cell.trim() !== ''))
				rows.push({ line: linesRead + 1, cells, text: raw });
			// Counted here, because the parser counts a Windows line end inside quotation marks twice.
			linesRead += raw.match(lineBreak)?.length ?? 0;
			return null;
		},
	});
	try {
		await pipeline(chunksOf(text), parser, async (records) => {
			for await (const _record of records);
		});
	} catch (error) {
		if (!(error instanceof CsvError)) throw error;
		throw new AppError(brokenCode, { params: { line: String(linesRead + 1) }, cause: error });
	}
	return rows;
}

/** Bytes parsed before yielding to the event loop: one or two milliseconds of work. */
const chunkBytes = 12 * 1024;

async function* chunksOf(text: string): AsyncGenerator<Buffer> {
	const bytes = Buffer.from(text);
	for (let start = 0; start < bytes.length; start += chunkBytes) {
		yield bytes.subarray(start, start + chunkBytes);
		await yieldToEventLoop();
	}
}

function delimiterOf(text: string): string {
	const [first = ''] = text.trimStart().split(lineBreak, 1);
	const counts = delimiters.map((sign) => first.split(sign).length);
	return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Adds an apostrophe before a cell that a spreadsheet would read as a formula (OWASP, CSV Injection). */
export function escapeFormula(cell: string): string {
	return /^[=+\-@\t\r\n＝＋－＠]/u.test(cell) ? `'${cell}` : cell;
}

/** Streams rows as CSV (RFC 4180) with a byte-order mark. Rows are requested only as fast as the stream is read. */
export function createCsvStream(header: readonly string[], rows: AsyncIterable<readonly string[]>): Readable {
	async function* lines() {
		yield header.map(escapeFormula);
		for await (const row of rows) yield row.map(escapeFormula);
	}
	const csv = stringify({ bom: true, quoted: true, quoted_empty: true, record_delimiter: 'windows' });
	// An error destroys the stream, so that an incomplete file does not look complete.
	connect(Readable.from(lines(), { highWaterMark: 16 }), csv, () => {});
	return csv;
}
