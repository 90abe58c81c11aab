import * as z from 'zod';
import { serverNow } from './server-clock.ts';

const placeSchema = z.object({
	page: z.number().int().min(1),
	pageCount: z.number().int().min(1),
	chapter: z.string().nullable(),
	/** How much of the page lies above what is read, 0 to 1. */
	offset: z.number().min(0).max(1).default(0),
	at: z.number(),
});

/** Where somebody stopped reading a document. `at`: milliseconds since 1970, by the server's clock; 0: nobody knows when. */
export type ReadingPlace = z.output<typeof placeSchema>;

export type PlaceStore = Pick<Storage, 'getItem' | 'setItem'>;

/** Remembers a place in this browser; where storage is off or full, reading goes on without. */
export function rememberPlace(
	store: PlaceStore,
	personId: string,
	document: string,
	place: z.input<typeof placeSchema>,
): void {
	try {
		store.setItem(keyOf(personId, document), JSON.stringify(place));
	} catch {
		// A full or forbidden store must not stop anybody from turning the page.
	}
}

/** Clocks are never quite alike, in milliseconds. */
const skewMs = 120_000;

/**
 * The remembered place, or undefined; never a page that the document does not have. Of a place in the future (this device's
 * clock ran ahead) nobody knows when it was: any other is later.
 */
export function recallPlace(store: PlaceStore, personId: string, document: string): ReadingPlace | undefined {
	try {
		const found = placeSchema.safeParse(JSON.parse(store.getItem(keyOf(personId, document)) ?? 'null'));
		if (!found.success) return undefined;
		const { page, pageCount, at } = found.data;
		const isFuture = at > serverNow(store) + skewMs;
		return { ...found.data, page: Math.min(page, pageCount), at: isFuture ? 0 : at };
	} catch {
		return undefined;
	}
}

/** Where to begin: the later of the place kept on the server, from whichever device, and the one of this browser. */
export function laterPlace(
	kept: { page: number; offset: number; readAt: string } | null,
	local: ReadingPlace | undefined,
): { page: number; offset: number } | undefined {
	return kept !== null && Date.parse(kept.readAt) >= (local?.at ?? 0) ? kept : local;
}

function keyOf(personId: string, document: string): string {
	return `reading:${personId}:${document}`;
}
