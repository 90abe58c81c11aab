import * as z from 'zod';
import { limits } from '#contract/core/limits.ts';
import type { Locale } from '#contract/core/text.ts';
import {
	type Credential,
	type CredentialField,
	type CredentialRow,
	credentialFields,
	newCredential,
} from '#contract/credentials/credentials.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import { packCursor, unpackCursor } from '../../platform/cursor.ts';
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

const cursorSchema = z.tuple([z.string(), z.string()]);

/** Adds a record. What the form's reader can mend comes back as `error`, in their language. */
export async function createCredential(
	deps: Deps,
	caller: Caller,
	input: Record<CredentialField, unknown>,
): Promise<{ success: boolean; error: string | null }> {
	const reject = (key: string) => ({ success: false, error: translate(key, caller.locale) });
	const typed = newCredential.safeParse(input);
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

/** Newest first; with both username and state, the one record that they name. */
export async function listCredentials(
	deps: Deps,
	input: { username: string; state: string; cursor?: string | undefined; limit: number },
): Promise<{ items: CredentialRow[]; nextCursor: string | null; total: number }> {
	const wanted = normalizeRecord(input);
	if (wanted.username !== '' || wanted.state !== '') {
		const row = await queries.findCredentialByKey(deps.db, lookupKeyOf(deps, wanted));
		const items = row === undefined ? [] : [presentRow(deps, row)];
		return { items, nextCursor: null, total: items.length };
	}
	const after = unpackCursor(input.cursor, cursorSchema);
	const rows = await queries.listCredentials(deps.db, {
		after: after && { at: after[0], id: after[1] },
		limit: input.limit + 1,
	});
	const page = rows.slice(0, input.limit);
	const last = page.at(-1);
	return {
		items: page.map((row) => presentRow(deps, row)),
		nextCursor: rows.length > page.length && last ? packCursor([last.created_at, last.id]) : null,
		total: await queries.countCredentials(deps.db),
	};
}

/** @throws AppError CREDENTIAL_FIELDS, CREDENTIAL_EXISTS, CREDENTIAL_STALE, CREDENTIAL_GONE */
export async function updateCredential(
	deps: Deps,
	caller: Caller,
	input: Credential & { record: string; updatedAt: string },
): Promise<CredentialRow> {
	assertAllFields(input);
	const next = normalizeRecord(input);
	const row = await inTransaction(deps.db, async (tx) => {
		const before = await queries.findCredentialForUpdate(tx, input.record);
		if (before === undefined) throw new AppError('CREDENTIAL_GONE');
		if (before.updated_at !== input.updatedAt) throw new AppError('CREDENTIAL_STALE');
		const sealed = { ...sealRecord(deps, next), updated_at: nextTimestamp(before.updated_at, isoAt(deps.clock)) };
		await queries.updateCredential(tx, before.id, sealed);
		await recordAudit(deps, tx, caller, 'credential-changed', ['credential', before.id], {
			fields: changedFields(tryUnsealRecord(deps, before), next),
		});
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

/** Hourly: lookups are kept for `limits.credentialLookupDays` days. */
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

/** What is wrong with the first field that is. */
function formatFirstIssue({ issues }: z.ZodError, locale: Locale): string {
	const [issue] = issues;
	const field = translate(`credentials_${String(issue?.path[0])}`, locale);
	const isTooLong = issue?.message === 'error_field_too_long';
	return translate(isTooLong ? 'credentials_add_too_long' : 'credentials_add_unusable', locale, { field });
}

function changedFields(before: Credential | null, next: Credential): CredentialField[] {
	return credentialFields.filter((field) => before?.[field] !== next[field]);
}

/** A clock that has stopped, or was set back, must not let a stale update pass. */
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

function publishCredentials(deps: Deps): void {
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'credentials' } });
}
