import * as z from 'zod';
import { serverNow } from '../api/server-clock.ts';

const positionSchema = z.object({
	page: z.number().int().min(1),
	pageCount: z.number().int().min(1),
	chapter: z.string().nullable(),
	/** How much of the page is above the position, 0 to 1. */
	offset: z.number().min(0).max(1).default(0),
	at: z.number(),
});

/** The last position in a document. `at`: milliseconds since 1970, by the server's clock; 0: unknown. */
export type LocalReadingPosition = z.output<typeof positionSchema>;

export type PositionStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** Stores a position in this browser; without available storage, reading works all the same. */
export function storeLocalPosition(
	store: PositionStorage,
	userId: string,
	document: string,
	position: z.input<typeof positionSchema>,
): void {
	try {
		store.setItem(keyOf(userId, document), JSON.stringify(position));
	} catch {
		// A full or disabled storage must not keep the user from turning the page.
	}
}

/** Allowed difference between clocks, in milliseconds. */
const skewMs = 120_000;

/**
 * Returns the stored position, or undefined; never a page beyond the document's last. The time of a position in the
 * future (this device's clock was ahead) counts as unknown, so that any other position is later.
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

/** Returns the later of two positions: the server's, from whichever device, and this browser's. */
export function laterPosition(
	stored: { page: number; offset: number; readAt: string } | null,
	local: LocalReadingPosition | undefined,
): { page: number; offset: number } | undefined {
	return stored !== null && Date.parse(stored.readAt) >= (local?.at ?? 0) ? stored : local;
}

function keyOf(userId: string, document: string): string {
	return `reading:${userId}:${document}`;
}
