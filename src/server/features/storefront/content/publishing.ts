import type { AuditAction } from '#contract/audit/audit-kinds.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import { type ContentVersion, keptVersions, type storefrontContent } from '#contract/storefront/content.ts';
import type { ContentField } from '#contract/storefront/content-fields.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { afterCommit, inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { recordAudit } from '../../audit/index.ts';
import { setPublishedFiles } from '../content-files/content-files.queries.ts';
import { fileIdsIn } from '../content-files/content-files.service.ts';
import * as queries from './content.queries.ts';
import { asChanged, newFieldRow, publishDraftChanged, withDraft } from './content.service.ts';
import { fieldNames, fromVersionContent, storedValuesOf, toVersionContent } from './content-values.ts';

type SeenFields = InputOf<typeof storefrontContent.publish>['fields'];

export async function listVersions({ db }: Deps): Promise<ContentVersion[]> {
	const rows = await queries.listVersions(db);
	return rows.map((row, at) => ({
		...row,
		changes: JSON.parse(row.changes) as ContentField[],
		isCurrent: at === 0,
	}));
}

/** Publishes the changes of the draft, if any. @throws AppError STALE if they are not those that the admin was shown */
export async function publishDraft(deps: Deps, caller: Caller, { fields }: { fields: SeenFields }) {
	return changePublished(deps, caller, 'storefront-published', {}, async (tx) => {
		const drafts = requireSeenDrafts(await queries.listFieldRows(tx), fields);
		for (const row of drafts)
			await queries.upsertField(tx, { ...row, published: row.draft, draft: null, has_draft: 0 });
		return drafts.map(({ field }) => field);
	});
}

/** Resets every field of the draft to its published value. @throws AppError STALE as in `publishDraft` */
export async function discardDraft(deps: Deps, caller: Caller, { fields }: { fields: SeenFields }): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		await queries.lockContent(tx, caller);
		const drafts = requireSeenDrafts(await queries.listFieldRows(tx), fields);
		if (drafts.length === 0) return;
		for (const row of drafts) await queries.upsertField(tx, asChanged(deps, caller, withDraft(row, row.published)));
		const detail = { fields: drafts.map(({ field }) => field) };
		await recordAudit(deps, tx, caller, 'storefront-discarded', ['settings', 'storefront'], detail);
		afterCommit(() => publishDraftChanged(deps));
	});
}

/** Publishes the content of a former version. Changed fields of the draft keep their drafts. @throws AppError NOT_FOUND */
export async function restoreVersion(deps: Deps, caller: Caller, { number }: { number: number }) {
	return changePublished(deps, caller, 'storefront-restored', { restored: number }, async (tx) => {
		const restored = fromVersionContent(required(await queries.findVersionContent(tx, number), 'NOT_FOUND'));
		const rows = new Map((await queries.listFieldRows(tx)).map((row) => [row.field, row]));
		const changed: ContentField[] = [];
		for (const field of fieldNames) {
			const row = rows.get(field) ?? newFieldRow(field);
			const published = restored.get(field) ?? null;
			if (published === row.published) continue;
			changed.push(field);
			// The draft has its own value, or follows what is published and so changes with it.
			const next = { ...row, published };
			const follower = asChanged(deps, caller, withDraft(next, published));
			await queries.upsertField(tx, row.has_draft === 0 ? follower : withDraft(next, row.draft));
		}
		return changed;
	});
}

/** Returns the changed fields of the draft. @throws AppError STALE if an admin was shown others, or other versions */
function requireSeenDrafts(rows: queries.FieldRow[], seen: SeenFields): queries.FieldRow[] {
	const drafts = rows.filter((row) => row.has_draft === 1);
	const versions = new Map(seen.map(({ field, version }) => [field, version]));
	const isSeen = drafts.length === versions.size && drafts.every((row) => versions.get(row.field) === row.version);
	if (!isSeen) throw new AppError('STALE');
	return drafts;
}

/** Changes what visitors see, and keeps it as a new version. @param change returns the names of the changed fields */
async function changePublished(
	deps: Deps,
	caller: Caller,
	action: AuditAction,
	detail: Record<string, unknown>,
	change: (tx: Db) => Promise<ContentField[]>,
): Promise<ContentVersion> {
	const number = await inTransaction(deps.db, async (tx) => {
		await queries.lockContent(tx, caller);
		const newest = await queries.getNewestVersionNumber(tx);
		const fields = await change(tx);
		if (fields.length === 0) return newest;
		const published = storedValuesOf(await queries.listFieldRows(tx), 'published');
		await queries.insertVersion(tx, {
			number: newest + 1,
			content: toVersionContent(published),
			changes: JSON.stringify(fields),
			published_by: caller.actor?.userId ?? null,
			published_at: isoAt(deps.clock),
		});
		await queries.deleteVersionsUpTo(tx, newest + 1 - keptVersions);
		await setPublishedFiles(tx, fileIdsIn(published));
		await recordAudit(deps, tx, caller, action, ['settings', 'storefront'], {
			...detail,
			version: newest + 1,
			fields,
		});
		afterCommit(() => {
			publishDraftChanged(deps);
			deps.bus.publish({ kind: 'event', audience: { to: 'everyone' }, event: { topic: 'book-settings' } });
		});
		return newest + 1;
	});
	return required(
		(await listVersions(deps)).find((version) => version.number === number),
		'NOT_FOUND',
	);
}
