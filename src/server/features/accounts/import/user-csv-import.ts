import { type Role, role as roleSchema } from '#contract/accounts/account.ts';
import type { UserImportProblem } from '#contract/accounts/administration.ts';
import { limits } from '#contract/core/limits.ts';
import { emailPattern } from '#contract/core/text.ts';
import type { Caller } from '../../../platform/actor.ts';
import { type CsvRow, filterCsvRows, readCsvRows } from '../../../platform/csv.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { emailKeyOf } from '../../../platform/ids.ts';
import { translate } from '../../../platform/messages.ts';
import { recordAudit } from '../../audit/index.ts';
import { enqueueMail } from '../../mail/index.ts';
import { createPasswordLink, firstPasswordLinkSeconds } from '../passwords/password-links.ts';
import { createUser } from '../users/users.service.ts';

const rowsPerTransaction = 100;

/** One invitation becomes due per second, so that mails to buyers do not wait for many invitations. */
const secondsBetweenMails = 1;

type UserCsvRow = CsvRow<'email' | 'name' | 'role'>;
type Reason = [key: string, params?: Record<string, string>];
interface ImportedUser {
	line: number;
	email: string;
	name: string | null;
	role: Role;
}

/**
 * Creates users without a password from a CSV (email, name, role; default role: user). Each user is mailed a link to
 * set a password. Invalid rows are reported and skipped. Importing the same text again changes nothing.
 * @throws AppError CSV_HEADER, CSV_BROKEN, CSV_TOO_LONG
 */
export async function importUsers(deps: Deps, caller: Caller, csv: string) {
	const columns = { required: ['email'], optional: ['name', 'role'] } as const;
	const rows: UserCsvRow[] = readCsvRows<'email' | 'name' | 'role'>(csv, columns, limits.userImportMaxRows);
	const problems: UserImportProblem[] = [];
	const report = (line: number, value: string, [key, params]: Reason) =>
		problems.push({ line, value, reason: translate(key, caller.locale, params) });

	const validUsers: ImportedUser[] = [];
	const firstLines = new Map<string, number>();
	for (const row of rows) {
		const email = row.record.email.trim();
		const key = emailKeyOf(email);
		const duplicateOf = firstLines.get(key);
		const problem =
			findProblem(row) ??
			(duplicateOf === undefined
				? null
				: createProblem(email, ['users_import_duplicate', { line: String(duplicateOf) }]));
		if (problem !== null) {
			report(row.line, problem.value, problem.reason);
			continue;
		}
		firstLines.set(key, row.line);
		validUsers.push({ line: row.line, email, name: row.record.name.trim() || null, role: parseRole(row) ?? 'user' });
	}
	let added = 0;
	for (let start = 0; start < validUsers.length; start += rowsPerTransaction) {
		const batch = validUsers.slice(start, start + rowsPerTransaction);
		const existing = await inTransaction(deps.db, (tx) => insertBatch(deps, tx, caller, batch, added));
		for (const { line, email } of existing) report(line, email, ['users_import_exists']);
		added += batch.length - existing.length;
	}
	if (added > 0) {
		deps.wakeWorkers();
		deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'users' } });
	}
	problems.sort((one, other) => one.line - other.line);
	const rest = filterCsvRows(
		csv,
		problems.map(({ line }) => line),
	);
	return { added, problems, rest };
}

/** @returns the users who have an account already */
async function insertBatch(deps: Deps, tx: Db, caller: Caller, users: ImportedUser[], mailsBefore: number) {
	const existing: ImportedUser[] = [];
	let mails = mailsBefore;
	// Inserted in a fixed order, so that two imports of the same users cannot deadlock.
	for (const user of users.toSorted((one, other) => (emailKeyOf(one.email) < emailKeyOf(other.email) ? -1 : 1))) {
		const { email, name, role } = user;
		const id = await createUser(deps, tx, { email, name, role, passwordHash: null });
		if (id === null) {
			existing.push(user);
			continue;
		}
		const link = await createPasswordLink(deps, tx, id, firstPasswordLinkSeconds);
		const mail = { kind: 'invitation', to: email, locale: caller.locale, linkId: link.id, token: link.token } as const;
		await enqueueMail(deps, tx, mail, { delaySeconds: mails * secondsBetweenMails });
		mails += 1;
		await recordAudit(deps, tx, caller, 'user-registered', ['user', id], { email, role });
	}
	if (existing.length < users.length) {
		await recordAudit(deps, tx, caller, 'people-imported', ['system', 'import'], {
			count: users.length - existing.length,
		});
	}
	return existing;
}

function findProblem(row: UserCsvRow): { value: string; reason: Reason } | null {
	const { email, name, role } = row.record;
	if (row.isTooLong) return createProblem(email, ['users_import_extra']);
	if (!emailPattern.test(email.trim()) || email.trim().length > limits.emailMaxLength)
		return createProblem(email, ['users_import_email']);
	if (name.trim().length > limits.userNameMaxLength)
		return createProblem(name, ['users_import_name', { count: String(limits.userNameMaxLength) }]);
	// An unclosed quotation mark makes the next rows part of a name, which then has line breaks and is not imported.
	if (/[\p{Cc}\u2028\u2029]/u.test(name.trim())) return createProblem(name, ['users_import_name_lines']);
	return parseRole(row) === null
		? createProblem(email, ['users_import_role', { role: role.slice(0, limits.emailMaxLength) }])
		: null;
}

/** Creates a problem for the report, with only the beginning of a long value. */
function createProblem(value: string, reason: Reason): { value: string; reason: Reason } {
	return { value: value.replaceAll('\0', '�').slice(0, limits.emailMaxLength), reason };
}

function parseRole({ record }: UserCsvRow): Role | null {
	const word = record.role.trim().toLowerCase();
	return word === '' ? 'user' : (roleSchema.safeParse(word).data ?? null);
}
