import type { ReadingPosition } from '#contract/book/reading.ts';

/** Where somebody is now; when that was, the keeper knows. */
export type CurrentPosition = Omit<ReadingPosition, 'readAt'>;

/** A place is kept once the page stands there: its bytes go first. */
export const firstSendDelayMs = 400;
/** How often a moving place is kept while it moves. */
export const sendIntervalMs = 5000;

/**
 * Keeps where somebody is in one document: the first move soon, then the newest every few seconds while they move, and on
 * {@link flush} what has not been kept yet. Each place goes with the moment at which the person came there, not with that of
 * the sending: a page that was left open hours ago takes nobody back. What could not be sent is tried again.
 */
export class PositionSync {
	readonly #send: (place: ReadingPosition) => Promise<boolean>;
	readonly #now: () => number;
	#position: ReadingPosition | undefined;
	#saved: ReadingPosition | undefined;
	#savedAt = Number.NEGATIVE_INFINITY;
	#timer: ReturnType<typeof setTimeout> | undefined;

	/** `opened`: where the document was opened, which is kept already. `send` tells whether the place has been kept. */
	constructor(
		opened: CurrentPosition | null,
		send: (place: ReadingPosition) => Promise<boolean>,
		now: () => number = Date.now,
	) {
		this.#send = send;
		this.#now = now;
		if (opened !== null) {
			this.#position = { ...opened, readAt: '' };
			this.#saved = this.#position;
		}
	}

	/** The person has come here. */
	record(place: CurrentPosition): void {
		if (isSamePosition(place, this.#position)) return;
		const now = this.#now();
		this.#position = { ...place, readAt: new Date(now).toISOString() };
		// Whoever stays there is kept too.
		// A clock that is set right meanwhile is no reason to wait for hours.
		const waitMs = Math.min(this.#savedAt + sendIntervalMs - now, sendIntervalMs);
		this.#timer ??= setTimeout(() => this.flush(), Math.max(firstSendDelayMs, waitMs));
	}

	/** Keeps the newest place now, unless it is kept already. */
	flush(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const place = this.#position;
		if (place === undefined || isSamePosition(place, this.#saved)) return;
		void this.#save(place);
	}

	async #save(place: ReadingPosition): Promise<void> {
		const before = this.#saved;
		this.#saved = place;
		this.#savedAt = this.#now();
		const isKept = await this.#send(place);
		if (!isKept && this.#saved === place) this.#saved = before;
	}
}

function isSamePosition(one: CurrentPosition, other: CurrentPosition | undefined): boolean {
	return (
		other !== undefined && one.page === other.page && one.pageCount === other.pageCount && one.offset === other.offset
	);
}
