import type { ReadingPlace } from '#contract/reader/reading.ts';

/** Where somebody is now; when that was, the keeper knows. */
export type CurrentPlace = Omit<ReadingPlace, 'readAt'>;

/** A place is kept once the page stands there: its bytes go first. */
export const settleMs = 400;
/** How often a moving place is kept while it moves. */
export const keepEveryMs = 5000;

/**
 * Keeps where somebody is in one document: the first move soon, then the newest every few seconds while they move, and on
 * {@link flush} what has not been kept yet. Each place goes with the moment at which the person came there, not with that of
 * the sending: a page that was left open hours ago takes nobody back. What could not be sent is tried again.
 */
export class PlaceKeeper {
	readonly #send: (place: ReadingPlace) => Promise<boolean>;
	readonly #now: () => number;
	#place: ReadingPlace | undefined;
	#kept: ReadingPlace | undefined;
	#keptAt = Number.NEGATIVE_INFINITY;
	#timer: ReturnType<typeof setTimeout> | undefined;

	/** `opened`: where the document was opened, which is kept already. `send` tells whether the place has been kept. */
	constructor(
		opened: CurrentPlace | null,
		send: (place: ReadingPlace) => Promise<boolean>,
		now: () => number = Date.now,
	) {
		this.#send = send;
		this.#now = now;
		if (opened !== null) {
			this.#place = { ...opened, readAt: '' };
			this.#kept = this.#place;
		}
	}

	/** The person has come here. */
	note(place: CurrentPlace): void {
		if (isSame(place, this.#place)) return;
		const now = this.#now();
		this.#place = { ...place, readAt: new Date(now).toISOString() };
		// Whoever stays there is kept too.
		// A clock that is set right meanwhile is no reason to wait for hours.
		const waitMs = Math.min(this.#keptAt + keepEveryMs - now, keepEveryMs);
		this.#timer ??= setTimeout(() => this.flush(), Math.max(settleMs, waitMs));
	}

	/** Keeps the newest place now, unless it is kept already. */
	flush(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const place = this.#place;
		if (place === undefined || isSame(place, this.#kept)) return;
		void this.#keep(place);
	}

	async #keep(place: ReadingPlace): Promise<void> {
		const before = this.#kept;
		this.#kept = place;
		this.#keptAt = this.#now();
		const isKept = await this.#send(place);
		if (!isKept && this.#kept === place) this.#kept = before;
	}
}

function isSame(one: CurrentPlace, other: CurrentPlace | undefined): boolean {
	return (
		other !== undefined && one.page === other.page && one.pageCount === other.pageCount && one.offset === other.offset
	);
}
