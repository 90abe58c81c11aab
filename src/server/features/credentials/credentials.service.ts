import type * as z from 'zod';
import type { InputOf } from '#contract/core/endpoint.ts';
import { limits } from '#contract/core/limits.ts';
import type { Locale } from '#contract/core/text.ts';
import {
	type Credential,
	type CredentialField,
	type CredentialRow,
	credentialFields,
	credentialInput,
	type credentials,
} from '#contract/credentials/credentials.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError, required } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import { timeAndId, toPage, unpackCursor } from '../../platform/cursor.ts';
import { isUniqueViolation } from '../../platform/database/errors.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Deps } from '../../platform/deps.ts';
import { translate } from '../../platform/messages.ts';
import { recordAudit } from '../audit/index.ts';
import * as queries from './credentials.queries.ts';
import {
	createRecordRow,
	findEmptyFields,
	lookupKeyOf,
	normalizeRecord,
	sealRecord,
	tryUnsealRecord,
} from './sealed-records.ts';

/** Adds a record. Errors that the user can correct in the form are returned as `error`, in the user's language. */
export async function createCredential(deps: Deps, caller: Caller, input: Record<CredentialField, unknown>) {
	const reject = (key: string) => ({ success: false, error: translate(key, caller.locale) });
	const typed = credentialInput.safeParse(input);
	if (!typed.success) return { success: false, error: formatFirstIssue(typed.error, caller.locale) };
	if (findEmptyFields(typed.data).length > 0) return reject('error_credential_fields');
	const row = createRecordRow(deps, normalizeRecord(typed.data));
	const isAdded = await inTransaction(deps.db, async (tx) => {
		const written = await queries.insertCredentialsIfNew(tx, [row]);
		if (written.size === 0) return false;
		await recordAudit(deps, tx, caller, 'credential-added', ['credential', row.id]);
		return true;
	});
	if (!isAdded) return reject('error_credential_exists');
	publishCredentials(deps);
	return { success: true, error: null };
}

/** Lists records, newest first; with a username or state, only the record that has exactly this username and state. */
export async function listCredentials(deps: Deps, input: InputOf<typeof credentials.list>) {
	const searched = normalizeRecord(input);
	if (searched.username !== '' || searched.state !== '') {
		const row = await queries.findCredentialByKey(deps.db, lookupKeyOf(deps, searched));
		const items = row === undefined ? [] : [presentRow(deps, row)];
		return { items, nextCursor: null, total: items.length };
	}
	const after = unpackCursor(input.cursor, timeAndId);
	const rows = await queries.listCredentials(deps.db, { after, limit: input.limit + 1 });
	const { page, nextCursor } = toPage(rows, input.limit, (last) => [last.created_at, last.id]);
	return {
		items: page.map((row) => presentRow(deps, row)),
		nextCursor,
		total: await queries.countCredentials(deps.db),
	};
}

/** @throws AppError CREDENTIAL_FIELDS, CREDENTIAL_EXISTS, CREDENTIAL_STALE, CREDENTIAL_GONE */
export async function updateCredential(deps: Deps, caller: Caller, input: InputOf<typeof credentials.update>) {
	assertAllFields(input);
	const next = normalizeRecord(input);
	const row = await inTransaction(deps.db, async (tx) => {
		const before = required(await queries.findCredentialForUpdate(tx, input.record), 'CREDENTIAL_GONE');
		if (before.updated_at !== input.updatedAt) throw new AppError('CREDENTIAL_STALE');
		const sealed = { ...sealRecord(deps, next), updated_at: nextTimestamp(before.updated_at, isoAt(deps.clock)) };
		await queries.updateCredential(tx, before.id, sealed);
		const decrypted = tryUnsealRecord(deps, before);
		const fields = credentialFields.filter((field) => decrypted?.[field] !== next[field]);
		await recordAudit(deps, tx, caller, 'credential-changed', ['credential', before.id], { fields });
		return { ...before, ...sealed };
	}).catch((error: unknown) => {
		throw isUniqueViolation(error) ? new AppError('CREDENTIAL_EXISTS', { cause: error }) : error;
	});
	publishCredentials(deps);
	return presentRow(deps, row);
}

/** Deletes a record for good. @throws AppError CREDENTIAL_GONE */
export async function deleteCredential(deps: Deps, caller: Caller, id: string): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		if (!(await queries.deleteCredential(tx, id))) throw new AppError('CREDENTIAL_GONE');
		await recordAudit(deps, tx, caller, 'credential-deleted', ['credential', id]);
	});
	publishCredentials(deps);
}

/** Runs hourly: deletes lookups older than `limits.credentialLookupDays` days. */
export async function deleteOldLookups(deps: Deps): Promise<void> {
	await queries.deleteLookupsBefore(deps.db, isoAt(deps.clock, -limits.credentialLookupDays * 24 * 3600));
}

function assertAllFields(record: Credential): void {
	const empty = findEmptyFields(record);
	if (empty.length === 0) return;
	throw new AppError('CREDENTIAL_FIELDS', {
		fields: Object.fromEntries(empty.map((field) => [field, 'error_field_required'])),
	});
}

function formatFirstIssue({ issues }: z.ZodError, locale: Locale): string {
	const [issue] = issues;
	const field = translate(`credentials_${String(issue?.path[0])}`, locale);
	const isTooLong = issue?.message === 'error_field_too_long';
	return translate(isTooLong ? 'credentials_add_too_long' : 'credentials_add_unusable', locale, { field });
}

/** Returns a time after `before`, even if the clock was set back. Otherwise an outdated update could be accepted. */
function nextTimestamp(before: string, now: string): string {
	return now > before ? now : new Date(Date.parse(before) + 1).toISOString();
}

function presentRow(deps: Deps, row: queries.CredentialRecord): CredentialRow {
	const record = tryUnsealRecord(deps, row);
	return {
		record: row.id,
		...(record ?? { username: '', state: '', id: '', password: '' }),
		createdAt: row.created_at,
		updatedAt: row.updated_at,
		isUnreadable: record === null,
	};
}

export function publishCredentials(deps: Deps): void {
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'credentials' } });
}
