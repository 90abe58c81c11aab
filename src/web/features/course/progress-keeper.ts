/** Where somebody is in a lesson: seconds or pages of how many; 0 of 0 for what has no places. */
export interface LessonPlace {
	position: number;
	total: number;
}

export interface KeptPlace extends LessonPlace {
	/** Given only where the person says so; the end of a lesson speaks for itself. */
	isDone?: boolean;
}

/** How often a moving place is kept while it moves. */
export const keepEveryMs = 5000;

/**
 * Keeps where somebody is in one lesson: the first place at once, then the newest every few seconds while it changes,
 * and on {@link flush} what has not been kept yet. What could not be sent is tried again with the next place.
 */
export class ProgressKeeper {
	readonly #send: (place: KeptPlace) => Promise<boolean>;
	readonly #now: () => number;
	#place: LessonPlace | undefined;
	#kept: LessonPlace | undefined;
	#keptAt = Number.NEGATIVE_INFINITY;

	/** `send` tells whether the place has been kept. */
	constructor(send: (place: KeptPlace) => Promise<boolean>, now: () => number = Date.now) {
		this.#send = send;
		this.#now = now;
	}

	/** The person is here now. */
	note(place: LessonPlace): void {
		this.#place = place;
		if (this.#now() - this.#keptAt >= keepEveryMs) this.flush();
	}

	/** Keeps the newest place now, unless it is kept already. */
	flush(): void {
		const place = this.#place;
		if (place === undefined || isSame(place, this.#kept)) return;
		void this.#keep(place);
	}

	/** The person says whether they are done, wherever they are. */
	mark(isDone: boolean): void {
		void this.#keep({ ...(this.#place ?? { position: 0, total: 0 }), isDone });
	}

	async #keep({ isDone, ...place }: KeptPlace): Promise<void> {
		const before = this.#kept;
		this.#kept = place;
		this.#keptAt = this.#now();
		const isKept = await this.#send(isDone === undefined ? place : { ...place, isDone });
		if (!isKept && this.#kept === place) this.#kept = before;
	}
}

function isSame(one: LessonPlace, other: LessonPlace | undefined): boolean {
	return other !== undefined && one.position === other.position && one.total === other.total;
}
