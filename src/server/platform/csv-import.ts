import type { Locale } from '#contract/core/text.ts';
import { filterCsvRows } from './csv.ts';
import { translate } from './messages.ts';

/** Why a row is not imported: the key of a message, and its parameters. */
export type ImportReason = [key: string, params?: Record<string, string>];

interface CsvImport<Row, About> {
	locale: Locale;
	/** Rows with the key of an earlier row are not imported. */
	keyOf(row: Row): string;
	findProblem(row: Row): ImportReason | null;
	/** Message keys for a row with the key of an earlier row (parameter `line`), and for a row that exists already. */
	duplicate: string;
	exists: string;
	rowsPerTransaction: number;
	/** Inserts the new rows in one transaction. @returns the rows that exist already */
	insert(rows: Row[], addedBefore: number): Promise<Row[]>;
	/** Returns the fields that identify a refused row in the report. */
	describe(row: Row, reason: string): About;
}

/** Imports the valid rows of a CSV text in batches, and reports the problems of the other rows in order. */
export async function importCsvRows<Row extends { line: number }, About extends object>(
	csv: string,
	rows: readonly Row[],
	{ locale, keyOf, findProblem, duplicate, exists, rowsPerTransaction, insert, describe }: CsvImport<Row, About>,
) {
	const problems: Array<{ line: number; reason: string } & About> = [];
	const report = (row: Row, [key, params]: ImportReason) =>
		problems.push({ line: row.line, ...describe(row, key), reason: translate(key, locale, params) });
	const validRows: Row[] = [];
	const firstLines = new Map<string, number>();
	for (const row of rows) {
		const firstLine = firstLines.get(keyOf(row));
		const reason = findProblem(row);
		if (reason !== null) report(row, reason);
		else if (firstLine !== undefined) report(row, [duplicate, { line: String(firstLine) }]);
		else {
			firstLines.set(keyOf(row), row.line);
			validRows.push(row);
		}
	}
	let added = 0;
	for (let start = 0; start < validRows.length; start += rowsPerTransaction) {
		const batch = validRows.slice(start, start + rowsPerTransaction);
		const existing = await insert(batch, added);
		for (const row of existing) report(row, [exists]);
		added += batch.length - existing.length;
	}
	problems.sort((one, other) => one.line - other.line);
	const refusedLines = problems.map(({ line }) => line);
	return { added, problems, rest: await filterCsvRows(csv, refusedLines) };
}
