const channelName = 'folio-filling';

/** How laying the app down on the device has ended; `other-build`: a deploy lies between the worker and the page. */
export type FillOutcome = 'filled' | 'line' | 'room' | 'other-build';

/** Says that something of it has come, to whoever waits for it. */
export function tellFilling(): void {
	const channel = new BroadcastChannel(channelName);
	channel.postMessage(null);
	channel.close();
}

/** Without anything new for so long there is no line, in milliseconds; the whole may take as long as it takes. */
const silenceMs = 120_000;

/** Waits for work as long as something still comes. @throws Error after too long a silence */
export async function whileFilling<T>(work: Promise<T>): Promise<T> {
	const channel = new BroadcastChannel(channelName);
	let timer: ReturnType<typeof setTimeout> | undefined;
	const silence = new Promise<never>((_, reject) => {
		const listen = () => {
			clearTimeout(timer);
			timer = setTimeout(() => reject(new Error('Nothing comes any more.')), silenceMs);
		};
		channel.onmessage = listen;
		listen();
	});
	return Promise.race([work, silence]).finally(() => {
		clearTimeout(timer);
		channel.close();
	});
}

/** The browser has no room left, or gives none (a private window). */
export function isRefusedRoom(error: unknown): boolean {
	const names = ['QuotaExceededError', 'SecurityError', 'NotSupportedError'];
	return error instanceof DOMException && names.includes(error.name);
}
