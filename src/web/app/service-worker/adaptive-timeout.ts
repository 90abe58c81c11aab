/** A server that has not begun its answer by then is out of reach. */
const normalTimeoutMs = 8000;
/** While the line is stalled nobody waits so long again for each call of a screen. */
const stalledTimeoutMs = 500;
const stalledPeriodMs = 60_000;

/** How long the server is waited for before the device answers: once long, and then for a while only for a moment. */
export class AdaptiveTimeout {
	#stalledUntil = 0;

	/**
	 * Waits for an answer (null: the server is out of reach), as long as is left.
	 * @returns the answer, or null when none came in time
	 */
	async waitFor<T>(asked: Promise<T | null>): Promise<T | null> {
		const isStalled = Date.now() < this.#stalledUntil;
		let timer: ReturnType<typeof setTimeout> | undefined;
		const tooLate = new Promise<'late'>((resolve) => {
			timer = setTimeout(resolve, isStalled ? stalledTimeoutMs : normalTimeoutMs, 'late');
		});
		const answer = await Promise.race([asked, tooLate]).finally(() => clearTimeout(timer));
		if (answer !== 'late') {
			// In time: the line goes again.
			if (answer !== null) this.#stalledUntil = 0;
			return answer;
		}
		this.#stalledUntil = Date.now() + stalledPeriodMs;
		return null;
	}
}
