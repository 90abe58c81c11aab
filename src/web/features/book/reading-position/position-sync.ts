import type { ReadingPosition } from '#contract/book/reading.ts';

/** The current position; PositionSync adds the time. */
export type CurrentPosition = Omit<ReadingPosition, 'readAt'>;

/** Delay of the first position, so that the page's bytes are loaded first. */
export const firstSendDelayMs = 400;
/** Interval between positions while the position changes. */
export const sendIntervalMs = 5000;

/**
 * Sends the position in one document to the server: the first move soon, then the newest every few seconds while it
 * changes, and any unsent position on {@link flush}. Each position has the time at which it was reached, not sent, so
 * that a page left open for hours does not move the reader back. Failed positions are sent again.
 */
export class PositionSync {
	readonly #send: (place: ReadingPosition) => Promise<boolean>;
	readonly #now: () => number;
	#position: ReadingPosition | undefined;
	#saved: ReadingPosition | undefined;
	#savedAt = Number.NEGATIVE_INFINITY;
	#timer: ReturnType<typeof setTimeout> | undefined;

	/**
	 * `opened` is the position at opening, which is stored already. `send` resolves with whether the position was stored.
	 */
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

	/** Records the current position. */
	record(place: CurrentPosition): void {
		if (isSamePosition(place, this.#position)) return;
		const now = this.#now();
		this.#position = { ...place, readAt: new Date(now).toISOString() };
		// A position that stays is stored too. If the clock is corrected meanwhile, do not wait for hours.
		const waitMs = Math.min(this.#savedAt + sendIntervalMs - now, sendIntervalMs);
		this.#timer ??= setTimeout(() => this.flush(), Math.max(firstSendDelayMs, waitMs));
	}

	/** Sends the newest position now, unless it is stored already. */
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
