import { CsvError, parse } from 'csv-parse/sync';
import { limits } from '#contract/core/limits.ts';
import { type Credential, type CredentialField, credentialFields } from '#contract/credentials/credentials.ts';
import { AppError } from '../../platform/app-error.ts';

/** A data row of the file; a field that the row lacks is ''. */
export interface CsvRow {
	/** Where the row begins, counted from 1, the header included. */
	line: number;
	record: Credential;
	/** More fields than the header names: most likely a delimiter inside a field without quotation marks. */
	isTooLong: boolean;
}

const delimiters = [',', ';', '\t'];

/**
 * Reads a CSV text (RFC 4180) with a header that names the four columns, in any order and case; a byte-order mark,
 * semicolons and tabs too.
 * @throws AppError CSV_HEADER, CSV_BROKEN, CSV_TOO_LONG
 */
export function readCredentialsCsv(csv: string): CsvRow[] {
	const text = csv.replace(/^\uFEFF/u, '');
	const [header, ...rows] = parseCsv(text);
	const columns = credentialFields.map((field) => [field, findColumn(header?.record ?? [], field)] as const);
	if (rows.length > limits.credentialImportMaxRows)
		throw new AppError('CSV_TOO_LONG', { params: { count: String(limits.credentialImportMaxRows) } });
	return rows.map(({ line, record }) => ({
		line,
		record: Object.fromEntries(
			columns.map(([field, column]) => [field, record[column] ?? '']),
		) as unknown as Credential,
		isTooLong: record.slice(header?.record.length).some((field) => field.trim() !== ''),
	}));
}

function findColumn(header: string[], field: CredentialField): number {
	const column = header.findIndex((name) => name.trim().toLowerCase() === field);
	if (column < 0) throw new AppError('CSV_HEADER');
	return column;
}

function parseCsv(text: string): Array<{ line: number; record: string[] }> {
	const rows: Array<{ line: number; record: string[] }> = [];
	let ended = 0;
	try {
		parse(text, {
			delimiter: delimiterOf(text),
			relax_column_count: true,
			relax_quotes: true,
			to: limits.credentialImportMaxRows + 2,
			on_record(record: string[], { lines }) {
				// The parser tells where a row ends; it begins after the end of the one before.
				if (record.some((field) => field.trim() !== '')) rows.push({ line: ended + 1, record });
				ended = lines;
				return null;
			},
		});
	} catch (error) {
		if (!(error instanceof CsvError)) throw error;
		throw new AppError('CSV_BROKEN', { params: { line: String(ended + 1) }, cause: error });
	}
	return rows;
}

/** The one that stands most often in the first line. */
function delimiterOf(text: string): string {
	const [first = ''] = text.trimStart().split(/\r?\n/u, 1);
	const counts = delimiters.map((sign) => first.split(sign).length);
	return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}
