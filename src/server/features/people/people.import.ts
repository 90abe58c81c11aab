import { type Role, role as roleSchema } from '#contract/account/account.ts';
import { limits } from '#contract/core/limits.ts';
import { emailForm } from '#contract/core/page.ts';
import type { PersonImportProblem } from '#contract/people/people.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { type CsvRow, keepCsvRows, readCsvRows } from '../../platform/csv-rows.ts';
import type { Deps } from '../../platform/deps.ts';
import { textOf } from '../../platform/messages.ts';
import { createUser, emailKeyOf } from '../account/account.service.ts';
import { createPasswordLink, firstLinkSeconds } from '../account/password-links.service.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { enqueueMail } from '../mail/mail.service.ts';

const rowsInTransaction = 100;

/** Invitations leave one a second, behind whatever else is due: a buyer's mail never waits for a thousand of them. */
const secondsBetweenMails = 1;

type Row = CsvRow<'email' | 'name' | 'role'>;
type Reason = [key: string, params?: Record<string, string>];
interface NewPerson {
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
export async function importPeople(
	deps: Deps,
	caller: Caller,
	csv: string,
): Promise<{ added: number; problems: PersonImportProblem[]; rest: string }> {
	const columns = { required: ['email'], optional: ['name', 'role'] } as const;
	const rows: Row[] = readCsvRows<'email' | 'name' | 'role'>(csv, columns, limits.peopleImportMaxRows);
	const problems: PersonImportProblem[] = [];
	const report = (line: number, value: string, [key, params]: Reason) =>
		problems.push({ line, value, reason: textOf(key, caller.locale, params) });

	const good: NewPerson[] = [];
	const firstLines = new Map<string, number>();
	for (const row of rows) {
		const email = row.record.email.trim();
		const key = emailKeyOf(email);
		const twin = firstLines.get(key);
		const fault =
			findFault(row) ?? (twin === undefined ? null : faultOf(email, ['people_import_twin', { line: String(twin) }]));
		if (fault !== null) {
			report(row.line, fault.value, fault.reason);
			continue;
		}
		firstLines.set(key, row.line);
		good.push({ line: row.line, email, name: row.record.name.trim() || null, role: readRole(row) ?? 'user' });
	}
	let added = 0;
	for (let start = 0; start < good.length; start += rowsInTransaction) {
		const batch = good.slice(start, start + rowsInTransaction);
		const known = await inTransaction(deps.db, (tx) => addBatch(deps, tx, caller, batch, added));
		for (const { line, email } of known) report(line, email, ['people_import_exists']);
		added += batch.length - known.length;
	}
	if (added > 0) {
		deps.wakeWorkers();
		deps.bus.publish({ kind: 'hint', audience: { to: 'admins' }, hint: { topic: 'users' } });
	}
	problems.sort((one, other) => one.line - other.line);
	const rest = keepCsvRows(
		csv,
		problems.map(({ line }) => line),
	);
	return { added, problems, rest };
}

/** @returns who has an account already */
async function addBatch(
	deps: Deps,
	tx: Db,
	caller: Caller,
	people: NewPerson[],
	mailsBefore: number,
): Promise<NewPerson[]> {
	const known: NewPerson[] = [];
	let mails = mailsBefore;
	// In one order for all, so that two imports of the same people wait for each other and never both.
	for (const person of people.toSorted((one, other) => (emailKeyOf(one.email) < emailKeyOf(other.email) ? -1 : 1))) {
		const { email, name, role } = person;
		const id = await createUser(deps, tx, { email, name, role, passwordHash: null, isInitialPassword: false });
		if (id === null) {
			known.push(person);
			continue;
		}
		const link = await createPasswordLink(deps, tx, id, firstLinkSeconds);
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
	if (known.length < people.length) {
		await recordAudit(deps, tx, caller, {
			action: 'people-imported',
			subjectKind: 'system',
			subjectId: 'import',
			detail: { count: people.length - known.length },
		});
	}
	return known;
}

function findFault(row: Row): { value: string; reason: Reason } | null {
	const { email, name, role } = row.record;
	if (row.isTooLong) return faultOf(email, ['people_import_extra']);
	if ([email, name, role].some((value) => value.includes('\0'))) return faultOf(email, ['people_import_unreadable']);
	if (!emailForm.test(email.trim()) || email.trim().length > limits.emailMaxLength)
		return faultOf(email, ['people_import_email']);
	if (name.trim().length > limits.personNameMaxLength)
		return faultOf(name, ['people_import_name', { count: String(limits.personNameMaxLength) }]);
	// A row that got lost inside quotation marks ends up in a name: it is told, never swallowed.
	if (/[\p{Cc}\u2028\u2029]/u.test(name.trim())) return faultOf(name, ['people_import_name_lines']);
	return readRole(row) === null
		? faultOf(email, ['people_import_role', { role: role.slice(0, limits.emailMaxLength) }])
		: null;
}

/** Nobody reads a value of a megabyte; a report holds its beginning. */
function faultOf(value: string, reason: Reason): { value: string; reason: Reason } {
	return { value: value.replaceAll('\0', '�').slice(0, limits.emailMaxLength), reason };
}

/** Null for a word that is no role. */
function readRole({ record }: Row): Role | null {
	const word = record.role.trim().toLowerCase();
	return word === '' ? 'user' : (roleSchema.safeParse(word).data ?? null);
}
