import { useEffect, useState } from 'react';
import * as z from 'zod';
import { type ReadingPosition, readingPositionPath } from '#contract/book/reading.ts';
import { serverNow } from '../api/server-clock.ts';
import { onReconnected } from '../events/connection-status.ts';
import { useMe } from '../session/session.ts';
import { storage } from './storage.ts';

export const firstSendDelayMs = 400;
export const sendIntervalMs = 5000;

/** Sends a position, and a mark that the user sets, such as "done". @returns whether the position was stored */
type SendPosition<Position, Mark> = (position: Position, reachedAt: number, mark?: Mark) => Promise<boolean>;

/**
 * Sends the position in one document or lesson to the server: the first move soon, then the newest every few seconds
 * while it changes, and any unsent position on {@link flush}. Each position has the time at which it was reached, not
 * sent, so that a page left open for hours does not move the reader back. Failed positions are sent again.
 */
export class PositionSync<Position extends object, Mark = never> {
	readonly #send: SendPosition<Position, Mark>;
	#current: { position: Position; reachedAt: number } | undefined;
	#saved: Position | undefined;
	#sentAt = Number.NEGATIVE_INFINITY;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(send: SendPosition<Position, Mark>) {
		this.#send = send;
	}

	record(position: Position): void {
		if (isSamePosition(position, this.#current?.position)) return;
		const now = serverNow();
		this.#current = { position, reachedAt: now };
		// Limited to the interval: after a correction of the clock, `waitMs` could be hours.
		const waitMs = Math.min(this.#sentAt + sendIntervalMs - now, sendIntervalMs);
		this.#timer ??= setTimeout(() => this.flush(), Math.max(firstSendDelayMs, waitMs));
	}

	flush(): void {
		this.#stopTimer();
		if (this.#current !== undefined && !isSamePosition(this.#current.position, this.#saved))
			void this.#save(this.#current);
	}

	/**
	 * Sends the user's mark now, even if it was sent before: another device may have changed it. The newest position is
	 * sent with it, or `initial` if there is none yet. A mark that could not be stored is not sent again.
	 */
	sendMark(mark: Mark, initial: Position): void {
		this.#stopTimer();
		void this.#save(this.#current ?? { position: initial, reachedAt: serverNow() }, mark);
	}

	#stopTimer(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	async #save({ position, reachedAt }: { position: Position; reachedAt: number }, mark?: Mark): Promise<void> {
		const previous = this.#saved;
		// A copy, so that a failure resets only its own position, and not an equal one that was sent later with a mark.
		const saved = { ...position };
		this.#saved = saved;
		this.#sentAt = serverNow();
		const isStored = await this.#send(position, reachedAt, mark);
		if (!isStored && this.#saved === saved) this.#saved = previous;
	}
}

function isSamePosition(one: unknown, other: unknown): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}

interface PositionSyncOptions {
	/**
	 * Whether an unsent position is sent when the connection returns. Only for positions that the server compares by
	 * time: without it, the position would replace a newer one from another device.
	 */
	sendsOnReconnect: boolean;
}

/**
 * Stores the user's position in a document or lesson while it is open, when the page is hidden and when it is left.
 * Remount (`key`) for another one.
 * @param send only the function of the first render is used
 * @returns null where nothing is stored: for an admin who views as a member
 */
export function usePositionSync<Position extends object, Mark = never>(
	send: SendPosition<Position, Mark>,
	{ sendsOnReconnect }: PositionSyncOptions = { sendsOnReconnect: true },
): PositionSync<Position, Mark> | null {
	const isImpersonating = useMe().view !== null;
	const [sync] = useState(() => new PositionSync(send));
	useEffect(() => {
		if (isImpersonating) return;
		const stop = flushOnEvents(() => sync.flush(), { sendsOnReconnect });
		return () => {
			stop();
			sync.flush();
		};
	}, [sync, isImpersonating, sendsOnReconnect]);
	return isImpersonating ? null : sync;
}

/** Calls `flush` when the page is hidden or left, and when the connection returns. @returns a function that stops it */
export function flushOnEvents(flush: () => void, { sendsOnReconnect }: PositionSyncOptions): () => void {
	const listening = new AbortController();
	const { signal } = listening;
	const flushIfHidden = () => document.visibilityState === 'hidden' && flush();
	document.addEventListener('visibilitychange', flushIfHidden, { signal });
	window.addEventListener('pagehide', flush, { signal });
	if (sendsOnReconnect) {
		window.addEventListener('online', flush, { signal });
		signal.addEventListener('abort', onReconnected(flush));
	}
	return () => listening.abort();
}

/** Stores a position, even while the page is being closed. @returns what is stored now, or null if unknown */
export async function putPosition<Stored>(path: string, position: object): Promise<Stored | null> {
	const response = await fetch(path, {
		method: 'PUT',
		keepalive: true,
		headers: { 'content-type': 'application/json', accept: 'application/json' },
		body: JSON.stringify(position),
	}).catch(() => null);
	return response?.ok ? response.json().catch(() => null) : null;
}

/** Stores the reading position in a document; `at`: when it was reached, in milliseconds since 1970. */
export function saveReadingPosition(
	document: string,
	{ at, ...position }: LocalReadingPosition,
): Promise<ReadingPosition | null> {
	return putPosition(readingPositionPath(document), { ...position, readAt: new Date(at).toISOString() });
}

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

export function storeLocalPosition(userId: string, document: string, position: z.input<typeof positionSchema>): void {
	storage.set(keyOf(userId, document), JSON.stringify(position));
}

const skewMs = 120_000;

/**
 * Returns the stored position, or undefined; never a page beyond the document's last. The time of a position in the
 * future (this device's clock was ahead) counts as unknown, so that any other position is later.
 */
export function readLocalPosition(userId: string, document: string): LocalReadingPosition | undefined {
	const stored = storage.getJson(keyOf(userId, document), positionSchema);
	if (stored === undefined) return undefined;
	const { page, pageCount, at } = stored;
	return { ...stored, page: Math.min(page, pageCount), at: at > serverNow() + skewMs ? 0 : at };
}

function keyOf(userId: string, document: string): string {
	return `reading:${userId}:${document}`;
}

/** Returns the later of two positions: the server's, from whichever device, and this browser's. */
export function laterPosition(
	saved: ReadingPosition | null,
	local: LocalReadingPosition | undefined,
): LocalReadingPosition | undefined {
	if (saved === null || (local !== undefined && isLater(local, saved))) return local;
	const { readAt, ...position } = saved;
	return { ...position, page: Math.min(saved.page, saved.pageCount), at: Date.parse(readAt) };
}

/** Whether this browser's position is later than the server's; a position without a known time is not. */
export function isLater(local: LocalReadingPosition, saved: ReadingPosition | null): boolean {
	return local.at > (saved === null ? 0 : Date.parse(saved.readAt));
}

interface ReadDocument {
	key: string;
	place: ReadingPosition | null;
}

export function findReadingPosition(userId: string, { key, place }: ReadDocument) {
	return laterPosition(place, readLocalPosition(userId, key));
}

export function findLastRead(userId: string, documents: readonly ReadDocument[]): string | undefined {
	const timeOf = (document: ReadDocument) => findReadingPosition(userId, document)?.at ?? 0;
	return documents.filter((document) => timeOf(document) > 0).toSorted((a, b) => timeOf(b) - timeOf(a))[0]?.key;
}

/** Sends this browser's position in a document, reached without a connection, if it is later than the server's. */
export async function sendLaterPosition(userId: string, key: string, saved: ReadingPosition | null): Promise<void> {
	const local = readLocalPosition(userId, key);
	if (local === undefined || !isLater(local, saved)) return;
	const stored = await saveReadingPosition(key, local);
	// The server stores a time ahead of its clock as now; storing its time locally avoids sending again.
	if (stored !== null && Date.parse(stored.readAt) < local.at)
		storeLocalPosition(userId, key, { ...local, at: Date.parse(stored.readAt) });
}
