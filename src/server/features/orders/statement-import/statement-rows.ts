import { limits } from '#contract/core/limits.ts';
import { AppError } from '../../../platform/app-error.ts';
import { delimiters, lineBreak, parseCsv } from '../../../platform/csv.ts';
import { createTimedYield } from '../../../platform/event-loop.ts';
import { columnsOfHeader } from './statement-columns.ts';

export interface StatementRow {
	/** Line of the file where the row begins, counted from 1. */
	line: number;
	cells: string[];
	/** Set if the row exceeds `rowMaxCells` or `rowMaxLength`. Only its first cells are kept, and it counts as unread. */
	isTooLong?: true;
}

/** Maximum lines that are searched for the header. The account and its holder may be above the header. */
const preambleLines = 100;
const preambleMaxLength = 32 * 1024;
/** A row is longer only if a quotation mark is not closed. */
const rowMaxBytes = 64 * 1024;
/** These limits bound the time for a row. Unicode normalisation can turn one character into eighteen. */
const rowMaxCells = 200;
const rowMaxLength = 4000;
const nameMaxLength = 100;

/** Parses a statement's rows, a chunk at a time. @throws AppError STATEMENT_BROKEN, STATEMENT_TOO_LONG */
export async function readStatementRows(text: string): Promise<StatementRow[]> {
	const delimiter = await detectDelimiter(text);
	const maxRows = limits.statementMaxRows + 1;
	const rows = await parseCsv(text, { delimiter, brokenCode: 'STATEMENT_BROKEN', maxRows, rowMaxBytes });
	if (rows.length === maxRows)
		throw new AppError('STATEMENT_TOO_LONG', { params: { count: limits.statementMaxRows.toLocaleString('en-IN') } });
	return rows.map(truncateRow);
}

function truncateRow({ line, cells }: { line: number; cells: string[] }): StatementRow {
	if (cells.length <= rowMaxCells && totalLength(cells) <= rowMaxLength) return { line, cells };
	return { line, cells: cells.slice(0, sampleCells).map((cell) => cell.slice(0, sampleLength)), isTooLong: true };
}

function totalLength(cells: readonly string[]): number {
	return cells.reduce((sum, cell) => sum + cell.length, 0);
}

/** Returns the delimiter that makes one of the first lines a header; the most frequent one if there is no header. */
async function detectDelimiter(text: string): Promise<string> {
	const lines = text.slice(0, rowMaxBytes).split(lineBreak, preambleLines);
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
