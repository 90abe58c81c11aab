import { type EditionKey, editionKeys } from '#contract/book/book-settings.ts';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import {
	type LocalReadingPosition,
	type PositionStorage,
	readLocalPosition,
} from '#web/platform/browser/local-reading-position.ts';
import { clampPage } from '#web/ui/pdf/viewer/page-size.ts';

/** The later of this browser's and the server's position in an edition. */
export function findReadingPosition(
	store: PositionStorage,
	userId: string,
	{ key, place }: Pick<ShelfEdition, 'key' | 'place'>,
): LocalReadingPosition | undefined {
	const local = readLocalPosition(store, userId, key);
	if (place === null) return local;
	const saved = { ...place, page: clampPage(place.page, place.pageCount), at: Date.parse(place.readAt) };
	return local !== undefined && local.at > saved.at ? local : saved;
}

/** The edition that was read last on any device; undefined if none was. */
export function findLastReadEdition(
	store: PositionStorage,
	userId: string,
	editions: ReadonlyArray<Pick<ShelfEdition, 'key' | 'place'>>,
): EditionKey | undefined {
	return editions
		.map((edition) => ({ key: edition.key, at: findReadingPosition(store, userId, edition)?.at ?? 0 }))
		.filter(({ at }) => at > 0)
		.toSorted((a, b) => b.at - a.at)[0]?.key;
}

/** The edition named in a URL, case-insensitive; undefined for none. */
export function findEditionKey(text: string | undefined): EditionKey | undefined {
	return editionKeys.find((key) => key === text?.toLowerCase());
}
