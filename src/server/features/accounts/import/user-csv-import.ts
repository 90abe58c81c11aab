import { type Role, role as roleSchema } from '#contract/accounts/account.ts';
import type { UserImportProblem } from '#contract/accounts/administration.ts';
import { emailPattern } from '#contract/core/common-fields.ts';
import { limits } from '#contract/core/limits.ts';
import type { Caller } from '../../../platform/actor.ts';
import { emailKeyOf } from '../../../platform/auth/email-key.ts';
import { type CsvRow, filterCsvRows, readCsvRows } from '../../../platform/csv.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { translate } from '../../../platform/messages.ts';
import { recordAudit } from '../../audit/index.ts';
import { enqueueMail } from '../../mail/index.ts';
import { createPasswordLink, firstPasswordLinkSeconds } from '../passwords/password-links.ts';
import { createUser } from '../users/users.service.ts';

const rowsPerTransaction = 100;

/** Invitations leave one a second, behind whatever else is due: a buyer's mail never waits for a thousand of them. */
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
 * Adds the people of a CSV (email, name, role; without a role: user) without a password: a mailed link sets it. The good
 * rows are kept, the others told. Importing the same text again adds and mails nothing twice.
 * @throws AppError CSV_HEADER, CSV_BROKEN, CSV_TOO_LONG
 */
export async function importUsers(
	deps: Deps,
	caller: Caller,
	csv: string,
): Promise<{ added: number; problems: UserImportProblem[]; rest: string }> {
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
		deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic: 'users' } });
	}
	problems.sort((one, other) => one.line - other.line);
	const rest = filterCsvRows(
		csv,
		problems.map(({ line }) => line),
	);
	return { added, problems, rest };
}

/** @returns who has an account already */
async function insertBatch(
	deps: Deps,
	tx: Db,
	caller: Caller,
	users: ImportedUser[],
	mailsBefore: number,
): Promise<ImportedUser[]> {
	const existing: ImportedUser[] = [];
	let mails = mailsBefore;
	// In one order for all, so that two imports of the same people wait for each other and never both.
	for (const user of users.toSorted((one, other) => (emailKeyOf(one.email) < emailKeyOf(other.email) ? -1 : 1))) {
		const { email, name, role } = user;
		const id = await createUser(deps, tx, { email, name, role, passwordHash: null, isInitialPassword: false });
		if (id === null) {
			existing.push(user);
			continue;
		}
		const link = await createPasswordLink(deps, tx, id, firstPasswordLinkSeconds);
		const mail = { kind: 'invitation', to: email, locale: caller.locale, linkId: link.id, token: link.token } as const;
		await enqueueMail(deps, tx, mail, { delaySeconds: mails * secondsBetweenMails });
		mails += 1;
		await recordAudit(deps, tx, caller, {
			action: 'user-registered',
			subjectKind: 'user',
			subjectId: id,
			detail: { email, role },
		});
	}
	if (existing.length < users.length) {
		await recordAudit(deps, tx, caller, {
			action: 'people-imported',
			subjectKind: 'system',
			subjectId: 'import',
			detail: { count: users.length - existing.length },
		});
	}
	return existing;
}

function findProblem(row: UserCsvRow): { value: string; reason: Reason } | null {
	const { email, name, role } = row.record;
	if (row.isTooLong) return createProblem(email, ['users_import_extra']);
	if ([email, name, role].some((value) => value.includes('\0')))
		return createProblem(email, ['users_import_unreadable']);
	if (!emailPattern.test(email.trim()) || email.trim().length > limits.emailMaxLength)
		return createProblem(email, ['users_import_email']);
	if (name.trim().length > limits.userNameMaxLength)
		return createProblem(name, ['users_import_name', { count: String(limits.userNameMaxLength) }]);
	// A row that got lost inside quotation marks ends up in a name: it is told, never swallowed.
	if (/[\p{Cc}\u2028\u2029]/u.test(name.trim())) return createProblem(name, ['users_import_name_lines']);
	return parseRole(row) === null
		? createProblem(email, ['users_import_role', { role: role.slice(0, limits.emailMaxLength) }])
		: null;
}

/** Nobody reads a value of a megabyte; a report holds its beginning. */
function createProblem(value: string, reason: Reason): { value: string; reason: Reason } {
	return { value: value.replaceAll('\0', '�').slice(0, limits.emailMaxLength), reason };
}

/** Null for a word that is no role. */
function parseRole({ record }: UserCsvRow): Role | null {
	const word = record.role.trim().toLowerCase();
	return word === '' ? 'user' : (roleSchema.safeParse(word).data ?? null);
}
