/** In milliseconds: a server that has not begun its response by then counts as unreachable. */
const normalTimeoutMs = 8000;
/** The timeout in milliseconds while the connection is stalled: a screen makes several calls, one after another. */
const stalledTimeoutMs = 500;
const stalledPeriodMs = 60_000;

/** Limits the wait for the server before stored data is used: long at first, short for a minute after a timeout. */
export class AdaptiveTimeout {
	#stalledUntil = 0;

	/** Waits for a response within the current timeout; null if none came in time, or the server is unreachable. */
	async waitFor<T>(asked: Promise<T | null>): Promise<T | null> {
		const isStalled = Date.now() < this.#stalledUntil;
		let timer: ReturnType<typeof setTimeout> | undefined;
		const tooLate = new Promise<'late'>((resolve) => {
			timer = setTimeout(resolve, isStalled ? stalledTimeoutMs : normalTimeoutMs, 'late');
		});
		const answer = await Promise.race([asked, tooLate]).finally(() => clearTimeout(timer));
		if (answer !== 'late') {
			// A response in time ends the stalled period.
			if (answer !== null) this.#stalledUntil = 0;
			return answer;
		}
		this.#stalledUntil = Date.now() + stalledPeriodMs;
		return null;
	}
}
