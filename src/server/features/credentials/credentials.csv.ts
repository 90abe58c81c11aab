import { limits } from '#contract/core/limits.ts';
import { type CredentialField, credentialFields } from '#contract/credentials/credentials.ts';
import { type CsvRow as AnyCsvRow, readCsvRows } from '../../platform/csv-rows.ts';

export type CsvRow = AnyCsvRow<CredentialField>;

/**
 * Reads the rows of an import of credentials; all four columns are needed.
 * @throws AppError CSV_HEADER, CSV_BROKEN, CSV_TOO_LONG
 */
export function readCredentialsCsv(csv: string): CsvRow[] {
	return readCsvRows(csv, { required: credentialFields, optional: [] }, limits.credentialImportMaxRows);
}
