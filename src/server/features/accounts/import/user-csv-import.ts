import { type Role, role as roleSchema } from '#contract/accounts/account.ts';
import { limits } from '#contract/core/limits.ts';
import { emailPattern } from '#contract/core/text.ts';
import type { Caller } from '../../../platform/actor.ts';
import { type CsvRow, readCsvRows } from '../../../platform/csv.ts';
import { type ImportReason, importCsvRows } from '../../../platform/csv-import.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { emailKeyOf } from '../../../platform/ids.ts';
import { recordAudit } from '../../audit/index.ts';
import { enqueueMail } from '../../mail/index.ts';
import { createPasswordLink, firstPasswordLinkSeconds } from '../passwords/password-links.ts';
import { createUsers } from '../users/users.service.ts';

/** One invitation becomes due per second, so that mails to buyers do not wait for many invitations. */
const secondsBetweenMails = 1;

type UserCsvRow = CsvRow<'email' | 'name' | 'role'>;

/**
 * Creates users without a password from a CSV (email, name, role; default role: user). Each user is mailed a link to
 * set a password. Invalid rows are reported and skipped. Importing the same text again changes nothing.
 * @throws AppError CSV_HEADER, CSV_BROKEN, CSV_TOO_LONG
 */
export async function importUsers(deps: Deps, caller: Caller, csv: string) {
	const columns = { required: ['email'], optional: ['name', 'role'] } as const;
	const rows = await readCsvRows<'email' | 'name' | 'role'>(csv, columns, limits.userImportMaxRows);
	const trimmedRows = rows.map((row) => {
		const { email, name, role } = row.record;
		return { ...row, record: { email: email.trim(), name: name.trim(), role } };
	});
	const report = await importCsvRows(csv, trimmedRows, {
		locale: caller.locale,
		keyOf: ({ record }) => emailKeyOf(record.email),
		findProblem,
		duplicate: 'users_import_duplicate',
		exists: 'users_import_exists',
		rowsPerTransaction: 100,
		insert: (batch, addedBefore) => inTransaction(deps.db, (tx) => insertBatch(deps, tx, caller, batch, addedBefore)),
		describe: describeProblem,
	});
	if (report.added > 0) {
		deps.wakeWorkers();
		deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'users' } });
	}
	return report;
}

/** @returns the users who have an account already */
async function insertBatch(deps: Deps, tx: Db, caller: Caller, rows: UserCsvRow[], mailsBefore: number) {
	const existing: UserCsvRow[] = [];
	let mails = mailsBefore;
	const users = rows.map((row) => {
		const { email, name } = row.record;
		return { row, email, name: name || null, role: parseRole(row) ?? 'user', passwordHash: null };
	});
	const ids = await createUsers(deps, tx, users);
	for (const [index, { row, email, role }] of users.entries()) {
		const id = ids[index];
		if (id == null) {
			existing.push(row);
			continue;
		}
		const link = await createPasswordLink(deps, tx, id, firstPasswordLinkSeconds);
		const mail = { kind: 'invitation', to: email, locale: caller.locale, linkId: link.id, token: link.token } as const;
		await enqueueMail(deps, tx, mail, { delaySeconds: mails * secondsBetweenMails });
		mails += 1;
		await recordAudit(deps, tx, caller, 'user-registered', ['user', id], { email, role });
	}
	if (existing.length < rows.length) {
		await recordAudit(deps, tx, caller, 'people-imported', ['system', 'import'], {
			count: rows.length - existing.length,
		});
	}
	return existing;
}

function findProblem(row: UserCsvRow): ImportReason | null {
	const { email, name, role } = row.record;
	if (row.isTooLong) return ['users_import_extra'];
	if (!emailPattern.test(email) || email.length > limits.emailMaxLength) return ['users_import_email'];
	if (name.length > limits.userNameMaxLength) return ['users_import_name', { count: String(limits.userNameMaxLength) }];
	// An unclosed quotation mark makes the next rows part of a name, which then has line breaks and is not imported.
	if (/[\p{Cc}\u2028\u2029]/u.test(name)) return ['users_import_name_lines'];
	return parseRole(row) === null ? ['users_import_role', { role: role.slice(0, limits.emailMaxLength) }] : null;
}

/** Returns the name if the problem is the name, otherwise the email; only the beginning of a long text. */
function describeProblem({ record: { email, name } }: UserCsvRow, reason: string): { value: string } {
	const value = reason.startsWith('users_import_name') ? name : email;
	return { value: value.replaceAll('\0', '\ufffd').slice(0, limits.emailMaxLength) };
}

function parseRole({ record }: UserCsvRow): Role | null {
	const word = record.role.trim().toLowerCase();
	return word === '' ? 'user' : (roleSchema.safeParse(word).data ?? null);
}
