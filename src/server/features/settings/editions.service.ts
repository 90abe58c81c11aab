import type { EditionKey } from '#contract/settings/book-settings.ts';
import type { Db } from '../../db/schema.ts';
import { findSetting } from '../../db/settings.ts';
import type { MarkFailure } from '../../platform/pdf/mark.ts';
import * as queries from './editions.queries.ts';

/** Key of the book settings. */
export const bookKey = 'book';

const faultWords: Record<MarkFailure, string> = {
	locked: 'error_edition_locked',
	empty: 'error_edition_empty',
	broken: 'error_edition_broken',
	heavy: 'error_edition_heavy',
};

/** The message for what is wrong with an edition's file. */
export function wordsOfFault(failure: string): string {
	return faultWords[failure as MarkFailure] ?? faultWords.broken;
}

/** The files that are assigned as editions, by the editions' keys. */
export async function findEditionFiles(db: Db): Promise<Partial<Record<EditionKey, string>>> {
	const row = await findSetting(db, bookKey);
	if (row === undefined) return {};
	return (JSON.parse(row.value) as { editions?: Partial<Record<EditionKey, string>> }).editions ?? {};
}

/**
 * Whether these bytes are those of an edition, wherever they lie: a copy of the file in a member's space, in a share or
 * in a chat is the unmarked book all the same. An edition that lies in the trash still counts.
 */
export async function isOfEdition(db: Db, sha256: string): Promise<boolean> {
	const ids = Object.values(await findEditionFiles(db));
	if (ids.length === 0) return false;
	return (await queries.findBlobsOfNodes(db, ids)).some((blob) => blob.sha256 === sha256);
}
