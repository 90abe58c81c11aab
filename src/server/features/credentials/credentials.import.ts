import { limits } from '#contract/core/limits.ts';
import { type Credential, credentialFields, type ImportProblem } from '#contract/credentials/credentials.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { keepCsvRows } from '../../platform/csv-rows.ts';
import type { Deps } from '../../platform/deps.ts';
import { textOf } from '../../platform/messages.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { type CsvRow, readCredentialsCsv } from './credentials.csv.ts';
import { insertIfNew } from './credentials.queries.ts';
import { findEmptyFields, keyOf, newRecord, normalizeRecord } from './credentials.records.ts';

const rowsInTransaction = 300;

type Reason = [key: string, params?: Record<string, string>];

/**
 * Adds the good rows of a CSV, a few hundred in a transaction, and tells what is wrong with the others. Importing the
 * same text again adds nothing twice.
 * @throws AppError CSV_HEADER, CSV_BROKEN, CSV_TOO_LONG
 */
export async function importCredentials(
	deps: Deps,
	caller: Caller,
	csv: string,
): Promise<{ added: number; problems: ImportProblem[]; rest: string }> {
	const rows = readCredentialsCsv(csv).map((row) => ({ ...row, record: normalizeRecord(row.record) }));
	const problems: ImportProblem[] = [];
	const report = ({ line, record }: CsvRow, [key, params]: Reason) =>
		problems.push({ line, username: record.username, state: record.state, reason: textOf(key, caller.locale, params) });

	const good: CsvRow[] = [];
	const firstLines = new Map<string, number>();
	for (const row of rows) {
		const key = keyOf(deps, row.record);
		const reason = findFault(row, caller) ?? findTwin(firstLines.get(key));
		if (reason !== null) {
			report(row, reason);
			continue;
		}
		firstLines.set(key, row.line);
		good.push(row);
	}
	let added = 0;
	for (let start = 0; start < good.length; start += rowsInTransaction) {
		const batch = good.slice(start, start + rowsInTransaction);
		const taken = await addBatch(deps, caller, batch);
		for (const row of taken) report(row, ['credentials_import_exists']);
		added += batch.length - taken.length;
	}
	if (added > 0) deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic: 'credentials' } });
	problems.sort((one, other) => one.line - other.line);
	const rest = keepCsvRows(
		csv,
		problems.map(({ line }) => line),
	);
	return { added, problems, rest };
}

/** Writes what is new, all of it or nothing. @returns the rows that exist already */
async function addBatch(deps: Deps, caller: Caller, rows: CsvRow[]): Promise<CsvRow[]> {
	const sealed = rows.map((row) => newRecord(deps, row.record));
	return inTransaction(deps.db, async (tx) => {
		// In one order for all, so that two imports of the same rows wait for each other and never both.
		const ordered = sealed.toSorted((one, other) => (one.lookup_key < other.lookup_key ? -1 : 1));
		const written = await insertIfNew(tx, ordered);
		if (written.size > 0) {
			await recordAudit(deps, tx, caller, {
				action: 'credentials-imported',
				subjectKind: 'credential',
				subjectId: 'import',
				detail: { count: written.size },
			});
		}
		return rows.filter((_row, index) => !written.has(sealed[index]?.lookup_key ?? ''));
	});
}

function findFault({ record, isTooLong }: CsvRow, { locale }: Caller): Reason | null {
	const empty = findEmptyFields(record);
	if (empty.length > 0) {
		const names = empty.map((field) => textOf(`credentials_${field}`, locale));
		return ['credentials_import_missing', { fields: names.join(', ') }];
	}
	if (isTooLong) return ['credentials_import_extra'];
	const values = credentialFields.map((field: keyof Credential) => record[field]);
	if (values.some((value) => value.length > limits.credentialFieldMaxLength))
		return ['credentials_import_too_long', { count: String(limits.credentialFieldMaxLength) }];
	return values.some((value) => value.includes('\0')) ? ['credentials_import_unreadable'] : null;
}

function findTwin(line: number | undefined): Reason | null {
	return line === undefined ? null : ['credentials_import_twin', { line: String(line) }];
}
