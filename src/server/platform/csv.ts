import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify';
import { AppError } from './app-error.ts';

/** A row of a CSV text by column name. Missing fields are ''. */
export interface CsvRow<F extends string> {
	/** Number of the row's first line in the text, from 1. */
	line: number;
	record: Record<F, string>;
	/** Whether the row has text beyond the last column, probably because an unquoted field contains a delimiter. */
	isTooLong: boolean;
}

const delimiters = [',', ';', '\t'];

/** All line ends. By default the parser recognises only the kind of the first line. */
const lineBreaks = ['\r\n', '\n', '\r'];
const lineBreak = /\r\n|\n|\r/gu;

/**
 * Reads a CSV text (RFC 4180). The header may have the columns in any order and case, and more columns. Accepts a
 * byte-order mark, semicolons or tabs as delimiters, and all kinds of line ends, also mixed.
 * @throws AppError CSV_HEADER, CSV_BROKEN, CSV_TOO_LONG
 */
export function readCsvRows<F extends string>(
	csv: string,
	columns: { required: readonly F[]; optional: readonly F[] },
	maxRows: number,
): Array<CsvRow<F>> {
	const [header, ...rows] = parseCsv(csv.replace(/^\uFEFF/u, ''), maxRows);
	const names = (header?.record ?? []).map((name) => name.trim().toLowerCase());
	if (columns.required.some((field) => !names.includes(field))) {
		throw new AppError('CSV_HEADER', { params: { columns: columns.required.join(', ') } });
	}
	if (rows.length > maxRows) throw new AppError('CSV_TOO_LONG', { params: { count: String(maxRows) } });
	const columnIndexes = [...columns.required, ...columns.optional].map(
		(field) => [field, names.indexOf(field)] as const,
	);
	return rows.map(({ line, record }) => ({
		line,
		record: Object.fromEntries(columnIndexes.map(([field, index]) => [field, record[index] ?? ''])) as Record<
			F,
			string
		>,
		isTooLong: record.slice(names.length).some((field) => field.trim() !== ''),
	}));
}

/** Returns the original text of the header and of the rows that start at one of `lines`; '' if `lines` is empty. */
export function filterCsvRows(csv: string, lines: readonly number[]): string {
	if (lines.length === 0) return '';
	const keptLines = new Set(lines);
	const [header, ...rows] = parseCsv(csv.replace(/^\uFEFF/u, ''), Number.MAX_SAFE_INTEGER - 2);
	const texts = [header, ...rows.filter(({ line }) => keptLines.has(line))].map((row) =>
		(row?.text ?? '').replace(/^[\r\n]+|[\r\n]+$/gu, ''),
	);
	return `${texts.join('\n')}\n`;
}

interface ParsedRow {
	line: number;
	record: string[];
	/** Original text of the row, its line end included. */
	text: string;
}

function parseCsv(text: string, maxRows: number): ParsedRow[] {
	const rows: ParsedRow[] = [];
	let linesRead = 0;
	try {
		parse(text, {
			delimiter: delimiterOf(text),
			record_delimiter: lineBreaks,
			relax_column_count: true,
			relax_quotes: true,
			to: maxRows + 2,
			raw: true,
			on_record(parsed) {
				const { record, raw } = parsed as unknown as { record: string[]; raw: string };
				if (record.some((field) => field.trim() !== '')) {
					rows.push({ line: linesRead + 1, record, text: raw });
				}
				// Counted here, because the parser counts a Windows line end inside quotation marks twice.
				linesRead += raw.match(lineBreak)?.length ?? 0;
				return null;
			},
		});
	} catch (error) {
		if (!(error instanceof CsvError)) throw error;
		throw new AppError('CSV_BROKEN', { params: { line: String(linesRead + 1) }, cause: error });
	}
	return rows;
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
	pipeline(Readable.from(lines(), { highWaterMark: 16 }), csv, () => {});
	return csv;
}
