const channelName = 'folio-filling';

/** `line`: no connection; `room`: no space; `other-build`: a deployment between the loading of worker and page. */
export type PrecacheOutcome = 'filled' | 'line' | 'room' | 'other-build';

export function publishPrecacheProgress(): void {
	const channel = new BroadcastChannel(channelName);
	channel.postMessage(null);
	channel.close();
}

/** Without progress for this many ms, the connection counts as lost; the whole download has no time limit. */
const stallTimeoutMs = 120_000;

/** Waits for work as long as progress is reported; throws after too long without progress. */
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

/** Whether the browser has no space left, or allows no storage (a private window). */
export function isStorageUnavailable(error: unknown): boolean {
	const names = ['QuotaExceededError', 'SecurityError', 'NotSupportedError'];
	return error instanceof DOMException && names.includes(error.name);
}
