import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { limits } from '#contract/core/limits.ts';
import { AppError } from '../../../platform/app-error.ts';
import { createTimedYield, yieldToEventLoop } from '../../../platform/event-loop.ts';
import { columnsOfHeader } from './statement-columns.ts';

export interface StatementRow {
	/** Where it begins, counted from 1. */
	line: number;
	cells: string[];
	/** More than any payment's line has: only its beginning is here, and nobody reads it. */
	isTooLong?: true;
}

const delimiters = [',', ';', '\t'] as const;
const lineEnds = ['\r\n', '\n', '\r'];
const lineEnd = /\r\n|\n|\r/gu;
/** Before the header stand the account, its holder and the bank's greetings. */
const preambleLines = 100;
const preambleMaxLength = 32 * 1024;
/** So many bytes are parsed before others have a turn: a millisecond's work or two. */
const chunkBytes = 12 * 1024;
/** No line of a statement is longer: a quotation mark is not closed. */
const rowMaxBytes = 64 * 1024;
/** What a line may cost is bound: a sign may stand for eighteen, a line for thousands of references. */
const rowMaxCells = 200;
const rowMaxLength = 4000;
/** No column is called more. */
const nameMaxLength = 100;

/**
 * The rows of a statement that are not empty, a piece of the text at a time.
 * @throws AppError STATEMENT_BROKEN, STATEMENT_TOO_LONG
 */
export async function readStatementRows(text: string): Promise<StatementRow[]> {
	const rows: StatementRow[] = [];
	let ended = 0;
	const parser = parse({
		delimiter: await detectDelimiter(text),
		record_delimiter: lineEnds,
		relax_column_count: true,
		relax_quotes: true,
		max_record_size: rowMaxBytes,
		raw: true,
		on_record(told) {
			const { record, raw } = told as unknown as { record: string[]; raw: string };
			if (record.some((cell) => cell.trim() !== '')) rows.push(truncateRow(ended + 1, record));
			// The parser's own count takes a Windows line end inside quotation marks for two.
			ended += raw.match(lineEnd)?.length ?? 0;
			if (rows.length > limits.statementMaxRows) throw tooLongError();
			return null;
		},
	});
	try {
		await pipeline(chunksOf(text), parser, async (records) => {
			for await (const _record of records);
		});
	} catch (error) {
		if (!(error instanceof CsvError)) throw error;
		throw new AppError('STATEMENT_BROKEN', { params: { line: String(ended + 1) }, cause: error });
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

function tooLongError(): AppError {
	return new AppError('STATEMENT_TOO_LONG', { params: { count: limits.statementMaxRows.toLocaleString('en-IN') } });
}

/** The one with which a line reads as a header; else the one that stands most often in the beginning. */
async function detectDelimiter(text: string): Promise<string> {
	const lines = text.slice(0, rowMaxBytes).split(lineEnd, preambleLines);
	const yieldRegularly = createTimedYield();
	for (const line of lines) {
		for (const sign of delimiters) {
			if (headerOf(line.split(sign)) !== null) return sign;
			await yieldRegularly();
		}
	}
	const counts = delimiters.map((sign) => lines.reduce((count, line) => count + line.split(sign).length - 1, 0));
	return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** The first row that names the columns. */
export function findHeader(rows: readonly StatementRow[]) {
	let length = 0;
	for (const [at, { cells, isTooLong }] of rows.slice(0, preambleLines).entries()) {
		length += totalLength(cells);
		if (length > preambleMaxLength) return null;
		const columns = isTooLong ? null : headerOf(cells);
		if (columns !== null) return { at, columns };
	}
	return null;
}

/** What a row's cells name; cells that are too long for a name are none. */
function headerOf(cells: readonly string[]) {
	if (cells.length > rowMaxCells) return null;
	return columnsOfHeader(cells.map((cell) => (cell.length > nameMaxLength ? '' : cell)));
}

const sampleRows = 8;
const sampleCells = 30;
const sampleLength = 80;

/** The first rows that are as wide as most are: what the columns are chosen from. */
export function sampleRowsOf(rows: readonly StatementRow[]): string[][] {
	const widths = Map.groupBy(rows.slice(0, 500), ({ cells }) => cells.length);
	const [most] = [...widths.values()].sort((one, other) => other.length - one.length);
	return (most ?? [])
		.slice(0, sampleRows)
		.map(({ cells }) => cells.slice(0, sampleCells).map((cell) => cell.trim().slice(0, sampleLength)));
}
