import * as z from 'zod';
import type { ShelfEdition } from '#contract/reader/reader.ts';
import { type EditionKey, editionKeys } from '#contract/settings/book-settings.ts';
import { clampPage } from '#web/ui/pdf/page-size.ts';

const placeSchema = z.object({
	page: z.number().int().min(1),
	pageCount: z.number().int().min(1),
	chapter: z.string().nullable(),
	/** How much of the page lies above what is read, 0 to 1. */
	offset: z.number().min(0).max(1).default(0),
	at: z.number(),
});

/** Where somebody stopped reading an edition. `at`: milliseconds since 1970. */
export type ReadingPlace = z.output<typeof placeSchema>;

type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** Remembers a place in this browser; where storage is off or full, reading goes on without. */
export function rememberPlace(
	store: Store,
	personId: string,
	edition: EditionKey,
	place: z.input<typeof placeSchema>,
): void {
	try {
		store.setItem(keyOf(personId, edition), JSON.stringify(place));
	} catch {
		// A full or forbidden store must not stop anybody from turning the page.
	}
}

/** The remembered place, or undefined; never a page that the edition does not have. */
export function recallPlace(store: Store, personId: string, edition: EditionKey): ReadingPlace | undefined {
	try {
		const found = placeSchema.safeParse(JSON.parse(store.getItem(keyOf(personId, edition)) ?? 'null'));
		return found.success ? { ...found.data, page: clampPage(found.data.page, found.data.pageCount) } : undefined;
	} catch {
		return undefined;
	}
}

/** Where somebody is in an edition: in this browser, or on another device if that was later. */
export function placeIn(
	store: Store,
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
	store: Store,
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

function keyOf(personId: string, edition: EditionKey): string {
	return `reading:${personId}:${edition}`;
}
