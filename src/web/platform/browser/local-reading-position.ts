import * as z from 'zod';
import { serverNow } from '../api/server-clock.ts';

const positionSchema = z.object({
	page: z.number().int().min(1),
	pageCount: z.number().int().min(1),
	chapter: z.string().nullable(),
	/** How much of the page lies above what is read, 0 to 1. */
	offset: z.number().min(0).max(1).default(0),
	at: z.number(),
});

/** Where somebody stopped reading a document. `at`: milliseconds since 1970, by the server's clock; 0: nobody knows when. */
export type LocalReadingPosition = z.output<typeof positionSchema>;

export type PositionStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** Remembers a place in this browser; where storage is off or full, reading goes on without. */
export function storeLocalPosition(
	store: PositionStorage,
	userId: string,
	document: string,
	position: z.input<typeof positionSchema>,
): void {
	try {
		store.setItem(keyOf(userId, document), JSON.stringify(position));
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
export function readLocalPosition(
	store: PositionStorage,
	userId: string,
	document: string,
): LocalReadingPosition | undefined {
	try {
		const found = positionSchema.safeParse(JSON.parse(store.getItem(keyOf(userId, document)) ?? 'null'));
		if (!found.success) return undefined;
		const { page, pageCount, at } = found.data;
		const isFuture = at > serverNow(store) + skewMs;
		return { ...found.data, page: Math.min(page, pageCount), at: isFuture ? 0 : at };
	} catch {
		return undefined;
	}
}

/** Where to begin: the later of the place kept on the server, from whichever device, and the one of this browser. */
export function laterPosition(
	stored: { page: number; offset: number; readAt: string } | null,
	local: LocalReadingPosition | undefined,
): { page: number; offset: number } | undefined {
	return stored !== null && Date.parse(stored.readAt) >= (local?.at ?? 0) ? stored : local;
}

function keyOf(userId: string, document: string): string {
	return `reading:${userId}:${document}`;
}
