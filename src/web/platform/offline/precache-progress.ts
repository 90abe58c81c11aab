const channelName = 'folio-filling';

/** `line`: no connection; `room`: no disk space; `other-build`: the worker and the page are from different builds. */
export type PrecacheOutcome = 'filled' | 'line' | 'room' | 'other-build';

export function publishPrecacheProgress(): void {
	const channel = new BroadcastChannel(channelName);
	channel.postMessage(null);
	channel.close();
}

/** In ms. The download fails after this time without progress. It has no time limit as a whole. */
const stallTimeoutMs = 120_000;

/** Waits for `work`. Rejects after `stallTimeoutMs` without progress. */
export async function waitWhilePrecaching<T>(work: Promise<T>): Promise<T> {
	const channel = new BroadcastChannel(channelName);
	let timer: ReturnType<typeof setTimeout> | undefined;
	const stalled = new Promise<never>((_, reject) => {
		const restartTimer = () => {
			clearTimeout(timer);
			timer = setTimeout(() => reject(new Error('The download made no progress.')), stallTimeoutMs);
		};
		channel.onmessage = restartTimer;
		restartTimer();
	});
	return Promise.race([work, stalled]).finally(() => {
		clearTimeout(timer);
		channel.close();
	});
}

/** Whether there is no disk space, or the browser allows no storage (private window). */
export function isStorageUnavailable(error: unknown): boolean {
	const names = ['QuotaExceededError', 'SecurityError', 'NotSupportedError'];
	return error instanceof DOMException && names.includes(error.name);
}
