import type { EditionKey } from '#contract/book/book-settings.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { findSetting } from '../../../platform/database/settings.ts';
import type { PdfFailure } from '../../../platform/pdf/watermark.ts';
import * as queries from './editions.queries.ts';

export const bookSettingKey = 'book';

const failureMessageKeys: Record<PdfFailure, string> = {
	locked: 'error_edition_locked',
	empty: 'error_edition_empty',
	broken: 'error_edition_broken',
	heavy: 'error_edition_heavy',
};

export function failureMessageKey(failure: string): string {
	return failureMessageKeys[failure as PdfFailure] ?? failureMessageKeys.broken;
}

export async function getEditionFiles(db: Db): Promise<Partial<Record<EditionKey, string>>> {
	const row = await findSetting(db, bookSettingKey);
	if (row === undefined) return {};
	return (JSON.parse(row.value) as { editions?: Partial<Record<EditionKey, string>> }).editions ?? {};
}

/**
 * Whether this SHA-256 (hex) is that of an edition's file, even if that file is in the trash. The content is compared
 * and not the file's id, because a copy in another space or in a chat is also the book without a watermark.
 */
export async function isEditionContent(db: Db, sha256: string): Promise<boolean> {
	const ids = Object.values(await getEditionFiles(db));
	if (ids.length === 0) return false;
	return (await queries.findBlobsOfNodes(db, ids)).some((blob) => blob.sha256 === sha256);
}
