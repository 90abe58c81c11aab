import { limits } from '#contract/core/limits.ts';
import { type CredentialField, credentialFields } from '#contract/credentials/credentials.ts';
import type { Caller } from '../../platform/actor.ts';
import { type CsvRow, readCsvRows } from '../../platform/csv.ts';
import { type ImportReason, importCsvRows } from '../../platform/csv-import.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Deps } from '../../platform/deps.ts';
import { translate } from '../../platform/messages.ts';
import { recordAudit } from '../audit/index.ts';
import { insertCredentialsIfNew } from './credentials.queries.ts';
import { publishCredentials } from './credentials.service.ts';
import { createRecordRow, findEmptyFields, lookupKeyOf, normalizeRecord } from './sealed-records.ts';

type CredentialCsvRow = CsvRow<CredentialField>;

/**
 * Adds the valid rows of a CSV, a few hundred in each transaction, and reports the problems of the other rows.
 * Importing the same text again changes nothing.
 * @throws AppError CSV_HEADER, CSV_BROKEN, CSV_TOO_LONG
 */
export async function importCredentials(deps: Deps, caller: Caller, csv: string) {
	const columns = { required: credentialFields, optional: [] };
	const rows = await readCsvRows(csv, columns, limits.credentialImportMaxRows);
	const normalizedRows = rows.map((row) => ({ ...row, record: normalizeRecord(row.record) }));
	const report = await importCsvRows(csv, normalizedRows, {
		locale: caller.locale,
		keyOf: ({ record }) => lookupKeyOf(deps, record),
		findProblem: (row) => findProblem(row, caller),
		duplicate: 'credentials_import_duplicate',
		exists: 'credentials_import_exists',
		rowsPerTransaction: 300,
		insert: (batch) => insertBatch(deps, caller, batch),
		describe: ({ record: { username, state } }) => ({ username, state }),
	});
	if (report.added > 0) publishCredentials(deps);
	return report;
}

/** Inserts the new rows in one transaction. @returns the rows that exist already */
async function insertBatch(deps: Deps, caller: Caller, rows: CredentialCsvRow[]): Promise<CredentialCsvRow[]> {
	const sealed = rows.map((row) => createRecordRow(deps, row.record));
	return inTransaction(deps.db, async (tx) => {
		// Inserted in a fixed order, so that two imports of the same rows cannot deadlock.
		const ordered = sealed.toSorted((one, other) => (one.lookup_key < other.lookup_key ? -1 : 1));
		const written = await insertCredentialsIfNew(tx, ordered);
		if (written.size > 0) {
			await recordAudit(deps, tx, caller, 'credentials-imported', ['credential', 'import'], { count: written.size });
		}
		return rows.filter((_row, index) => !written.has(sealed[index]?.lookup_key ?? ''));
	});
}

function findProblem({ record, isTooLong }: CredentialCsvRow, { locale }: Caller): ImportReason | null {
	const empty = findEmptyFields(record);
	if (empty.length > 0) {
		const names = empty.map((field) => translate(`credentials_${field}`, locale));
		return ['credentials_import_missing', { fields: names.join(', ') }];
	}
	if (isTooLong) return ['credentials_import_extra'];
	const values = credentialFields.map((field) => record[field]);
	if (values.some((value) => value.length > limits.credentialFieldMaxLength))
		return ['credentials_import_too_long', { count: String(limits.credentialFieldMaxLength) }];
	return values.some((value) => value.includes('\0')) ? ['credentials_import_unreadable'] : null;
}
