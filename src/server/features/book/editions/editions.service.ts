import { type EditionKey, type EditionMatrix, editionDefaults, listEditionKeys } from '#contract/book/editions.ts';
import type { Locale } from '#contract/core/text.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { findSetting, findSettingForUpdate } from '../../../platform/database/settings.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { translate } from '../../../platform/messages.ts';
import type { PdfFailure } from '../../../platform/pdf/watermark.ts';
import { recordAudit } from '../../audit/index.ts';
import * as queries from './editions.queries.ts';

export const bookSettingKey = 'book';

const failureMessageKeys: Record<PdfFailure, string> = {
	locked: 'error_edition_locked',
	empty: 'error_edition_empty',
	broken: 'error_edition_broken',
	heavy: 'error_edition_heavy',
};

/** Says why a PDF cannot be an edition. @param failure see `PdfError` */
export function describePdfFailure(failure: string, locale: Locale): string {
	const [reason, page] = failure.split(' ');
	if (page !== undefined) return translate('error_edition_page_broken', locale, { page });
	return translate(failureMessageKeys[reason as PdfFailure] ?? failureMessageKeys.broken, locale);
}

type StoredEditions = EditionMatrix & { editions?: Partial<Record<EditionKey, string>> };

export async function getStoredEditions(db: Db): Promise<StoredEditions> {
	const row = await findSetting(db, bookSettingKey);
	return { ...editionDefaults, ...(row !== undefined && (JSON.parse(row.value) as Partial<StoredEditions>)) };
}

/** Returns the IDs of the editions' files, in the order of the editions. */
export async function getEditionFiles(db: Db): Promise<Partial<Record<EditionKey, string>>> {
	const { editions = {}, ...matrix } = await getStoredEditions(db);
	return Object.fromEntries(listEditionKeys(matrix).flatMap((key) => (editions[key] ? [[key, editions[key]]] : [])));
}

/**
 * Whether this SHA-256 (hex) is that of a file that is or has been an edition, until an admin releases it. The content
 * is compared and not the file's id, because a copy in another space or in a chat is also the book without a watermark.
 */
export async function isEditionContent(db: Db, sha256: string): Promise<boolean> {
	return (await queries.findEditionContent(db, sha256)) !== undefined || isCurrentEdition(db, sha256);
}

/** Compared by the files too, because a previous version that runs beside this one does not store the contents. */
async function isCurrentEdition(db: Db, sha256: string): Promise<boolean> {
	const ids = Object.values(await getEditionFiles(db)) as string[];
	return ids.length > 0 && queries.hasNodeWithContent(db, ids, sha256);
}

/** Stores the contents of files that are or become editions, so that they stay protected as former editions. */
export async function recordEditionContents(
	deps: Deps,
	tx: Db,
	...editions: Array<StoredEditions['editions']>
): Promise<void> {
	const ids = editions.flatMap((files) => Object.values(files ?? {}) as string[]);
	await queries.insertEditionContents(tx, ids, isoAt(deps.clock));
}

export async function listFormerEditions(db: Db) {
	const rows = await queries.listFormerEditions(db, Object.values(await getEditionFiles(db)) as string[]);
	return rows.map(({ sha256, name, created_at }) => ({ id: sha256, name, usedAt: created_at }));
}

/**
 * Lets members read the content of a former edition wherever they have access to a file with this content.
 * @throws AppError NOT_FOUND also for the content of a current edition
 */
export async function releaseFormerEdition(deps: Deps, caller: Caller, { id }: { id: string }): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		// A save of the settings, which may assign a file with this content again, waits for this transaction.
		await findSettingForUpdate(tx, bookSettingKey);
		const content = await queries.findEditionContent(tx, id);
		if (content === undefined || (await isCurrentEdition(tx, id))) throw new AppError('NOT_FOUND');
		await queries.deleteEditionContent(tx, id);
		const detail = { name: content.name, sha256: id };
		await recordAudit(deps, tx, caller, 'former-edition-released', ['settings', bookSettingKey], detail);
	});
	deps.bus.publish({ kind: 'event', audience: { to: 'admins' }, event: { topic: 'book-settings' } });
}
