import { type EditionKey, type EditionMatrix, editionDefaults, listEditionKeys } from '#contract/book/editions.ts';
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
 * Whether this SHA-256 (hex) is that of an edition's file, even if that file is in the trash. The content is compared
 * and not the file's id, because a copy in another space or in a chat is also the book without a watermark.
 */
export async function isEditionContent(db: Db, sha256: string): Promise<boolean> {
	const ids = Object.values(await getEditionFiles(db)) as string[];
	return ids.length > 0 && queries.hasNodeWithContent(db, ids, sha256);
}
