import { useEffect, useState } from 'react';
import { type ReadingPosition, readingPositionPath } from '#contract/book/reading.ts';
import { serverNow } from '../api/server-clock.ts';
import { onReconnected } from '../events/connection-status.ts';
import { useMe } from '../session/session.ts';
import { integer, nullable, number, object, text } from './readers.ts';
import { storage } from './storage.ts';

export const firstSendDelayMs = 400;
export const sendIntervalMs = 5000;

/** `mark`: a state that the user sets, such as "done". @returns whether the server stored the position */
type SendPosition<Position, Mark> = (position: Position, reachedAt: number, mark?: Mark) => Promise<boolean>;

/**
 * Sends the user's position in a document or lesson: the first change soon, then the newest position every few seconds.
 * Each position has the time when the user reached the position, because a page that is open for hours must not
 * overwrite a newer position. Failed positions are sent again.
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
		// If the clock was set back, `waitMs` could be hours without this limit.
		const waitMs = Math.min(this.#sentAt + sendIntervalMs - now, sendIntervalMs);
		this.#timer ??= setTimeout(() => this.flush(), Math.max(firstSendDelayMs, waitMs));
	}

	flush(): void {
		this.#stopTimer();
		if (this.#current !== undefined && !isSamePosition(this.#current.position, this.#saved))
			void this.#save(this.#current);
	}

	/**
	 * Sends the mark at once, with the newest position, or with `initial` if no position was recorded. The same mark can
	 * be sent again, because another device may have changed it. A failed mark is not sent again automatically.
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
		// A copy, so that a failure of this request does not reset an equal position that was sent later.
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
	 * Whether an unsent position is sent after the connection returns. If the server does not compare times, this could
	 * overwrite a newer position from another device.
	 */
	sendsOnReconnect: boolean;
}

/**
 * The component must be remounted for another document.
 * @param send only the function of the first render is used
 * @returns null during an impersonation, because nothing is stored
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

/**
 * Calls `flush` when the page is hidden or closed and, with `sendsOnReconnect`, when the connection returns. Returns a
 * function that unsubscribes.
 */
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

/** Sends a position, even while the page closes. @returns what the server has stored, or null if unknown */
export async function putPosition<Stored>(path: string, position: object): Promise<Stored | null> {
	const response = await fetch(path, {
		method: 'PUT',
		keepalive: true,
		headers: { 'content-type': 'application/json', accept: 'application/json' },
		body: JSON.stringify(position),
	}).catch(() => null);
	return response?.ok ? response.json().catch(() => null) : null;
}

/** `at`: when the user reached the position, in ms since 1970. */
export function saveReadingPosition(
	document: string,
	{ at, ...position }: LocalReadingPosition,
): Promise<ReadingPosition | null> {
	return putPosition(readingPositionPath(document), { ...position, readAt: new Date(at).toISOString() });
}

export interface LocalReadingPosition {
	page: number;
	pageCount: number;
	chapter: string | null;
	/** Share of the page that is above the position, 0 to 1. */
	offset: number;
	/** ms since 1970 by the server's clock; 0 if unknown. */
	at: number;
}

const readPosition = object<LocalReadingPosition>({
	page: integer(1),
	pageCount: integer(1),
	chapter: nullable(text()),
	offset: (value) => (value === undefined ? 0 : number(0, 1)(value)),
	at: number(),
});

/** `offset` is 0 by default. */
type StoredPosition = Omit<LocalReadingPosition, 'offset'> & Partial<Pick<LocalReadingPosition, 'offset'>>;

export function storeLocalPosition(userId: string, document: string, position: StoredPosition): void {
	storage.set(keyOf(userId, document), JSON.stringify(position));
}

const skewMs = 120_000;

/**
 * Returns the stored position with a page that exists. An `at` in the future becomes 0, because the device's clock was
 * wrong.
 */
export function readLocalPosition(userId: string, document: string): LocalReadingPosition | undefined {
	const stored = storage.getJson(keyOf(userId, document), readPosition);
	if (stored === undefined) return undefined;
	const { page, pageCount, at } = stored;
	return { ...stored, page: Math.min(page, pageCount), at: at > serverNow() + skewMs ? 0 : at };
}

function keyOf(userId: string, document: string): string {
	return `reading:${userId}:${document}`;
}

/** `saved`: from the server; `local`: from this browser. */
export function laterPosition(
	saved: ReadingPosition | null,
	local: LocalReadingPosition | undefined,
): LocalReadingPosition | undefined {
	if (saved === null || (local !== undefined && isLater(local, saved))) return local;
	const { readAt, ...position } = saved;
	return { ...position, page: Math.min(saved.page, saved.pageCount), at: Date.parse(readAt) };
}

/** False if the time of `local` is unknown. */
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

/** Sends the local position if it is later than the server's, for example after offline reading. */
export async function sendLaterPosition(userId: string, key: string, saved: ReadingPosition | null): Promise<void> {
	const local = readLocalPosition(userId, key);
	if (local === undefined || !isLater(local, saved)) return;
	const stored = await saveReadingPosition(key, local);
	// The server replaces a future time by its current time. Storing the server's time avoids sending the position again.
	if (stored !== null && Date.parse(stored.readAt) < local.at)
		storeLocalPosition(userId, key, { ...local, at: Date.parse(stored.readAt) });
}
