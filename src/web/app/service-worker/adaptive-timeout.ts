/** A server that does not respond within this time in ms is treated as unreachable. */
const normalTimeoutMs = 8000;
/**
 * Used for a minute after a timeout, or until a response arrives in time. A screen makes several calls, and each would
 * wait 8 seconds.
 */
const stalledTimeoutMs = 500;
const stalledPeriodMs = 60_000;

/** Limits how long to wait for the server before stored data is used. */
export class AdaptiveTimeout {
	#stalledUntil = 0;

	/** Resolves to null if no response arrives in time or the server is unreachable. */
	async waitFor<T>(response: Promise<T | null>): Promise<T | null> {
		const isStalled = Date.now() < this.#stalledUntil;
		let timer: ReturnType<typeof setTimeout> | undefined;
		const tooLate = new Promise<'late'>((resolve) => {
			timer = setTimeout(resolve, isStalled ? stalledTimeoutMs : normalTimeoutMs, 'late');
		});
		const outcome = await Promise.race([response, tooLate]).finally(() => clearTimeout(timer));
		if (outcome !== 'late') {
			// A response in time ends the stalled period.
			if (outcome !== null) this.#stalledUntil = 0;
			return outcome;
		}
		this.#stalledUntil = Date.now() + stalledPeriodMs;
		return null;
	}
}
