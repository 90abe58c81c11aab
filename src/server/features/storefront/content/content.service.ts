import type { InputOf } from '#contract/core/endpoint.ts';
import type { DraftField, storefrontContent } from '#contract/storefront/content.ts';
import { type Content, type ContentField, contentFields } from '#contract/storefront/content-fields.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { afterCommit, inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { Log } from '../../../platform/log.ts';
import { recordAudit } from '../../audit/index.ts';
import { fileIdsIn, listPictures, requireFiles } from '../content-files/content-files.service.ts';
import * as queries from './content.queries.ts';
import {
	defaultsFor,
	fieldNames,
	resolveContent,
	storedValueOf,
	storedValuesOf,
	toStoredValue,
} from './content-values.ts';

/** Whether the owner has published content, or an earlier version of Folio stored content of the owner. */
export async function hasOwnContent(db: Db): Promise<boolean> {
	return (await queries.listFieldRows(db)).some(({ published }) => published !== null);
}

export async function getDraft({ db, log }: Deps) {
	const rows = await queries.listFieldRows(db);
	const values = (['published', 'draft'] as const).map((state) => storedValuesOf(rows, state));
	const images = await listPictures(db, values.flatMap(fileIdsIn));
	return { fields: await presentFields(db, rows, log), images };
}

export async function getDraftField({ db, log }: Deps, name: ContentField): Promise<DraftField> {
	const fields = await presentFields(db, await queries.listFieldRows(db), log);
	return fields[fieldNames.indexOf(name)] as DraftField;
}

async function presentFields(db: Db, rows: queries.FieldRow[], log: Log): Promise<DraftField[]> {
	const authors = await queries.listFieldAuthors(db);
	const rowsByField = new Map(rows.map((row) => [row.field, row]));
	const stored = storedValuesOf(rows, 'draft');
	const defaults = defaultsFor(stored);
	const draft = resolveContent(stored, log);
	const published = resolveContent(storedValuesOf(rows, 'published'), log);
	return fieldNames.map((field) => {
		const row = rowsByField.get(field);
		return {
			field,
			value: draft[field],
			version: row?.version ?? 0,
			published: published[field],
			default: defaults[field],
			isChanged: row?.has_draft === 1,
			changedBy: authors.get(field) ?? null,
			changedAt: row?.updated_at ?? null,
		};
	});
}

/** Saves a field of the draft. @throws AppError STALE, INVALID_INPUT with `fields` */
export async function saveField(
	deps: Deps,
	caller: Caller,
	{ field, value, version }: InputOf<typeof storefrontContent.saveField>,
): Promise<DraftField> {
	await changeField(deps, caller, { field, version }, () => (value === null ? null : parseValue(field, value)));
	return getDraftField(deps, field);
}

function parseValue(field: ContentField, value: unknown): Content[ContentField] {
	const parsed = contentFields[field].safeParse(value);
	if (parsed.success) return parsed.data;
	const fields: Record<string, string> = {};
	for (const { path, message } of parsed.error.issues)
		fields[['value', ...path].join('.')] ??= message.startsWith('error_') ? message : 'error_invalid_input';
	throw new AppError('INVALID_INPUT', { fields });
}

/** Consecutive changes of a field by one admin within this time have one audit entry: the editor saves every few seconds. */
const auditIntervalSeconds = 600;

/**
 * Changes a field of the draft; a new value that equals the present one changes nothing.
 * @param change returns the new value from the present one; null for the default
 * @throws AppError STALE, INVALID_INPUT if the value refers to a file that does not exist
 */
export async function changeField<Field extends ContentField>(
	deps: Deps,
	caller: Caller,
	{ field, version }: { field: Field; version: number },
	change: (current: Content[Field], tx: Db) => Content[Field] | null | Promise<Content[Field]>,
): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		await queries.lockContent(tx, caller);
		const rows = await queries.listFieldRows(tx);
		const row = rows.find((other) => other.field === field) ?? newFieldRow(field);
		if (row.version !== version) throw new AppError('STALE');
		const stored = storedValuesOf(rows, 'draft');
		const value = await change(resolveContent(stored)[field], tx);
		const json = toStoredValue(field, value, defaultsFor(stored));
		if (json === storedValueOf(row, 'draft')) return;
		if (json !== null) await requireFiles(tx, field, json);
		const changed = asChanged(deps, caller, withDraft(row, json));
		await queries.upsertField(tx, changed);
		const isRecorded =
			row.has_draft === 1 &&
			row.updated_by === changed.updated_by &&
			row.updated_at > isoAt(deps.clock, -auditIntervalSeconds);
		if (!isRecorded)
			await recordAudit(deps, tx, caller, 'storefront-draft-saved', ['settings', 'storefront'], { fields: [field] });
		afterCommit(() => publishDraftChanged(deps));
	});
}

export function newFieldRow(field: ContentField): queries.FieldRow {
	return { field, published: null, draft: null, has_draft: 0, version: 0, updated_by: null, updated_at: '' };
}

/** Returns the row with another draft, or without a draft if it equals what is published. */
export function withDraft(row: queries.FieldRow, draft: string | null): queries.FieldRow {
	return draft === row.published ? { ...row, draft: null, has_draft: 0 } : { ...row, draft, has_draft: 1 };
}

/** Returns the row as the next version of its field, changed by the caller now. */
export function asChanged({ clock }: Deps, { actor }: Caller, row: queries.FieldRow): queries.FieldRow {
	return { ...row, version: row.version + 1, updated_by: actor?.userId ?? null, updated_at: isoAt(clock) };
}

export function publishDraftChanged({ bus }: Deps): void {
	bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'storefront-draft' } });
}
