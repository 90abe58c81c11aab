import { aliveEveryMs, eventsPath, type Hint, hint } from '#contract/core/events.ts';

const lockName = 'folio-events';
const channelName = 'folio-events';
const firstDelayMs = 500;
const longestDelayMs = 15_000;
/** Nobody tells a browser that slept, or changed its network, that its line is dead: two signs of life must be missing. */
const silentMs = 2 * aliveEveryMs + 5000;
/** A server that is there begins its answer at once. */
const openingMs = 10_000;

/** An open line; `close` lets another tab take over. */
export interface EventLine {
	close: () => void;
}

/**
 * Listens to the server's hints over one stream for the whole browser: HTTP/1.1 stalls at the seventh connection of
 * an origin. The tab that holds the Web Lock reads the stream and tells the others; when it closes, another takes over.
 * The server first says what it has said since the screen asked, `ageMs` ago. Without Web Locks (plain http on a foreign host) each tab reads its own.
 */
export function openEventLine(
	onHint: (hint: Hint) => void,
	onLine: (isUp: boolean) => void,
	ageMs: () => number,
): EventLine {
	const closed = new AbortController();
	const channel = new BroadcastChannel(channelName);
	channel.onmessage = (event) => {
		if (typeof event.data === 'boolean') onLine(event.data);
		const heard = hint.safeParse(event.data);
		if (heard.success) onHint(heard.data);
	};
	const tell = (news: Hint) => {
		channel.postMessage(news);
		onHint(news);
	};
	const tellLine = (isUp: boolean) => {
		channel.postMessage(isUp);
		onLine(isUp);
	};

	if ('locks' in navigator) {
		const asked = Date.now();
		navigator.locks
			.request(lockName, { signal: closed.signal }, () => {
				// Taking over from another tab: what was said in between is lost.
				if (Date.now() - asked > firstDelayMs) tell({ topic: 'resync' });
				return readStream(tell, tellLine, ageMs, closed.signal);
			})
			.catch((error: unknown) => {
				if (!closed.signal.aborted) throw error;
			});
	} else {
		void readStream(onHint, onLine, ageMs, closed.signal);
	}

	return {
		close: () => {
			closed.abort();
			channel.close();
		},
	};
}

/** Reads the stream until `signal`, connecting again with growing pauses. Resolves when it is over. */
function readStream(
	tell: (hint: Hint) => void,
	tellLine: (isUp: boolean) => void,
	ageMs: () => number,
	signal: AbortSignal,
): Promise<void> {
	return new Promise((resolve) => {
		let source: EventSource | undefined;
		let timer: number | undefined;
		let silence: number | undefined;
		let delayMs = firstDelayMs;
		let wasOpen = false;

		const stop = () => {
			window.clearTimeout(timer);
			window.clearTimeout(silence);
			source?.close();
			resolve();
		};
		const lose = () => {
			window.clearTimeout(silence);
			source?.close();
			tellLine(false);
			timer = window.setTimeout(connect, delayMs);
			delayMs = Math.min(delayMs * 2, longestDelayMs);
		};
		const awaitLife = (patienceMs = silentMs) => {
			window.clearTimeout(silence);
			silence = window.setTimeout(lose, patienceMs);
		};
		const connect = () => {
			awaitLife(openingMs);
			source = new EventSource(wasOpen ? eventsPath : `${eventsPath}?ageMs=${ageMs()}`);
			source.onopen = () => {
				awaitLife();
				delayMs = firstDelayMs;
				tellLine(true);
				if (wasOpen) tell({ topic: 'resync' });
				wasOpen = true;
			};
			source.onmessage = (event: MessageEvent<string>) => {
				awaitLife();
				const heard = parseHint(event.data);
				if (heard === undefined) return;
				if (heard.topic !== 'alive') tell(heard);
				if (heard.topic === 'ended') stop();
			};
			source.onerror = () => {
				// A refused stream stays closed: the session may be over, which the next look at everything finds out.
				const isRefused = source?.readyState === EventSource.CLOSED;
				lose();
				if (isRefused) tell({ topic: 'resync' });
			};
		};

		if (signal.aborted) return resolve();
		signal.addEventListener('abort', stop, { once: true });
		connect();
	});
}

function parseHint(text: string): Hint | undefined {
	try {
		const heard = hint.safeParse(JSON.parse(text));
		return heard.success ? heard.data : undefined;
	} catch {
		return undefined;
	}
}
