import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { limits } from '#contract/core/limits.ts';
import { AppError } from '../../../platform/app-error.ts';
import { createTimedYield, yieldToEventLoop } from '../../../platform/event-loop.ts';
import { columnsOfHeader } from './statement-columns.ts';

export interface StatementRow {
	/** Line of the file where the row begins, counted from 1. */
	line: number;
	cells: string[];
	/** Set if the row exceeds `rowMaxCells` or `rowMaxLength`. Only its first cells are kept, and it counts as unread. */
	isTooLong?: true;
}

const delimiters = [',', ';', '\t'] as const;
const lineEnds = ['\r\n', '\n', '\r'];
const lineEnd = /\r\n|\n|\r/gu;
/** Maximum lines that are searched for the header. The account and its holder may be above the header. */
const preambleLines = 100;
const preambleMaxLength = 32 * 1024;
/** Bytes parsed before yielding to the event loop: one or two milliseconds of work. */
const chunkBytes = 12 * 1024;
/** A row is longer only if a quotation mark is not closed. */
const rowMaxBytes = 64 * 1024;
/** These limits bound the time for a row. Unicode normalisation can turn one character into eighteen. */
const rowMaxCells = 200;
const rowMaxLength = 4000;
const nameMaxLength = 100;

/** Parses a statement's rows, a chunk at a time. @throws AppError STATEMENT_BROKEN, STATEMENT_TOO_LONG */
export async function readStatementRows(text: string): Promise<StatementRow[]> {
	const rows: StatementRow[] = [];
	let endedLines = 0;
	const parser = parse({
		delimiter: await detectDelimiter(text),
		record_delimiter: lineEnds,
		relax_column_count: true,
		relax_quotes: true,
		max_record_size: rowMaxBytes,
		raw: true,
		on_record(parsed) {
			const { record, raw } = parsed as unknown as { record: string[]; raw: string };
			if (record.some((cell) => cell.trim() !== '')) rows.push(truncateRow(endedLines + 1, record));
			// Counted here, because the parser counts a Windows line end inside quotation marks twice.
			endedLines += raw.match(lineEnd)?.length ?? 0;
			if (rows.length > limits.statementMaxRows)
				throw new AppError('STATEMENT_TOO_LONG', {
					params: { count: limits.statementMaxRows.toLocaleString('en-IN') },
				});
			return null;
		},
	});
	try {
		await pipeline(chunksOf(text), parser, async (records) => {
			for await (const _record of records);
		});
	} catch (error) {
		if (!(error instanceof CsvError)) throw error;
		throw new AppError('STATEMENT_BROKEN', { params: { line: String(endedLines + 1) }, cause: error });
	}
	return rows;
}

function truncateRow(line: number, cells: string[]): StatementRow {
	if (cells.length <= rowMaxCells && totalLength(cells) <= rowMaxLength) return { line, cells };
	return { line, cells: cells.slice(0, sampleCells).map((cell) => cell.slice(0, sampleLength)), isTooLong: true };
}

function totalLength(cells: readonly string[]): number {
	return cells.reduce((sum, cell) => sum + cell.length, 0);
}

async function* chunksOf(text: string): AsyncGenerator<Buffer> {
	const bytes = Buffer.from(text);
	for (let start = 0; start < bytes.length; start += chunkBytes) {
		yield bytes.subarray(start, start + chunkBytes);
		await yieldToEventLoop();
	}
}

/** Returns the delimiter that makes one of the first lines a header; the most frequent one if there is no header. */
async function detectDelimiter(text: string): Promise<string> {
	const lines = text.slice(0, rowMaxBytes).split(lineEnd, preambleLines);
	const yieldRegularly = createTimedYield();
	for (const line of lines) {
		for (const delimiter of delimiters) {
			if (headerOf(line.split(delimiter)) !== null) return delimiter;
			await yieldRegularly();
		}
	}
	const counts = delimiters.map((delimiter) =>
		lines.reduce((count, line) => count + line.split(delimiter).length - 1, 0),
	);
	return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Finds the row that names the columns (`at`), and the row that follows it (`first`). */
export function findHeader(rows: readonly StatementRow[]) {
	let length = 0;
	for (const [at, { cells, isTooLong }] of rows.slice(0, preambleLines).entries()) {
		length += totalLength(cells);
		if (length > preambleMaxLength) return null;
		const columns = isTooLong ? null : headerOf(cells);
		if (columns !== null) return { at, first: at + 1, columns };
	}
	return null;
}

/** Returns the columns of a header row. Cells that are too long for a name are ignored. */
function headerOf(cells: readonly string[]) {
	if (cells.length > rowMaxCells) return null;
	return columnsOfHeader(cells.map((cell) => (cell.length > nameMaxLength ? '' : cell)));
}

const sampleRows = 8;
const sampleCells = 30;
const sampleLength = 80;

/** Returns the first rows of the most frequent width, from which the admin chooses the columns. */
export function sampleRowsOf(rows: readonly StatementRow[]): string[][] {
	const widths = Map.groupBy(rows.slice(0, 500), ({ cells }) => cells.length);
	const [most] = [...widths.values()].sort((one, other) => other.length - one.length);
	return (most ?? [])
		.slice(0, sampleRows)
		.map(({ cells }) => cells.slice(0, sampleCells).map((cell) => cell.trim().slice(0, sampleLength)));
}
