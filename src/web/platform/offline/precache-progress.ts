const channelName = 'folio-filling';

/** How laying the app down on the device has ended; `other-build`: a deploy lies between the worker and the page. */
export type PrecacheOutcome = 'filled' | 'line' | 'room' | 'other-build';

/** Says that something of it has come, to whoever waits for it. */
export function publishPrecacheProgress(): void {
	const channel = new BroadcastChannel(channelName);
	channel.postMessage(null);
	channel.close();
}

/** Without anything new for so long there is no line, in milliseconds; the whole may take as long as it takes. */
const stallTimeoutMs = 120_000;

/** Waits for work as long as something still comes. @throws Error after too long a silence */
export async function waitWhilePrecaching<T>(work: Promise<T>): Promise<T> {
	const channel = new BroadcastChannel(channelName);
	let timer: ReturnType<typeof setTimeout> | undefined;
	const stalled = new Promise<never>((_, reject) => {
		const restartTimer = () => {
			clearTimeout(timer);
			timer = setTimeout(() => reject(new Error('Nothing comes any more.')), stallTimeoutMs);
		};
		channel.onmessage = restartTimer;
		restartTimer();
	});
	return Promise.race([work, stalled]).finally(() => {
		clearTimeout(timer);
		channel.close();
	});
}

/** The browser has no room left, or gives none (a private window). */
export function isStorageUnavailable(error: unknown): boolean {
	const names = ['QuotaExceededError', 'SecurityError', 'NotSupportedError'];
	return error instanceof DOMException && names.includes(error.name);
}
