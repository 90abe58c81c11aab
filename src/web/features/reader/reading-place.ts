import type { ShelfEdition } from '#contract/reader/reader.ts';
import { type EditionKey, editionKeys } from '#contract/settings/book-settings.ts';
import { type PlaceStore, type ReadingPlace, recallPlace } from '#web/platform/reading-place.ts';
import { clampPage } from '#web/ui/pdf/page-size.ts';

/** Where somebody is in an edition: in this browser, or on another device if that was later. */
export function placeIn(
	store: PlaceStore,
	personId: string,
	{ key, place }: Pick<ShelfEdition, 'key' | 'place'>,
): ReadingPlace | undefined {
	const local = recallPlace(store, personId, key);
	if (place === null) return local;
	const kept = { ...place, page: clampPage(place.page, place.pageCount), at: Date.parse(place.readAt) };
	return local !== undefined && local.at > kept.at ? local : kept;
}

/** The edition that was read last, on whichever device, or undefined when none was. */
export function lastRead(
	store: PlaceStore,
	personId: string,
	editions: ReadonlyArray<Pick<ShelfEdition, 'key' | 'place'>>,
): EditionKey | undefined {
	return editions
		.map((edition) => ({ key: edition.key, at: placeIn(store, personId, edition)?.at ?? 0 }))
		.filter(({ at }) => at > 0)
		.toSorted((a, b) => b.at - a.at)[0]?.key;
}

/** The edition that an address names, in any case; undefined for none. */
export function findEditionKey(text: string | undefined): EditionKey | undefined {
	return editionKeys.find((key) => key === text?.toLowerCase());
}
