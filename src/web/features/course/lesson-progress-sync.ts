import type { LessonProgress } from '#contract/course/course.ts';
import type { Node } from '#contract/files/files.ts';
/** The position in a lesson: seconds or pages, of how many; 0 of 0 for a lesson without either. */
export interface LessonPosition {
	position: number;
	total: number;
}

export interface LessonProgressUpdate extends LessonPosition {
	/** Given only where the person says so; the end of a lesson speaks for itself. */
	isDone?: boolean;
}

/** How often a moving place is kept while it moves. */
export const sendIntervalMs = 5000;

/**
 * Stores the position in one lesson: the first at once, then the newest every few seconds while it changes, and on
 * {@link flush} what has not been sent yet. What could not be sent is sent again with the next position.
 */
export class LessonProgressSync {
	readonly #send: (place: LessonProgressUpdate) => Promise<boolean>;
	readonly #now: () => number;
	#position: LessonPosition | undefined;
	#saved: LessonPosition | undefined;
	#savedAt = Number.NEGATIVE_INFINITY;

	/** `send` tells whether the place has been kept. */
	constructor(send: (place: LessonProgressUpdate) => Promise<boolean>, now: () => number = Date.now) {
		this.#send = send;
		this.#now = now;
	}

	/** The person is here now. */
	record(place: LessonPosition): void {
		this.#position = place;
		if (this.#now() - this.#savedAt >= sendIntervalMs) this.flush();
	}

	/** Keeps the newest place now, unless it is kept already. */
	flush(): void {
		const place = this.#position;
		if (place === undefined || isSamePosition(place, this.#saved)) return;
		void this.#save(place);
	}

	/** The person says whether they are done, wherever they are. */
	setDone(isDone: boolean): void {
		void this.#save({ ...(this.#position ?? { position: 0, total: 0 }), isDone });
	}

	async #save({ isDone, ...place }: LessonProgressUpdate): Promise<void> {
		const before = this.#saved;
		this.#saved = place;
		this.#savedAt = this.#now();
		const isKept = await this.#send(isDone === undefined ? place : { ...place, isDone });
		if (!isKept && this.#saved === place) this.#saved = before;
	}
}

function isSamePosition(one: LessonPosition, other: LessonPosition | undefined): boolean {
	return other !== undefined && one.position === other.position && one.total === other.total;
}

/** What a reader or player of a lesson is given. */
export interface LessonViewerProps {
	node: Node;
	/** Where it was left. */
	start: LessonProgress | null;
	/** Hears where the person is. The same function for as long as the lesson is open. */
	onPosition: (place: LessonPosition) => void;
	/** The end is reached, or a video or recording is paused: the position is to be sent now. */
	onPause: () => void;
}
