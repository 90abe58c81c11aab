import { eventsPath, heartbeatIntervalMs, type ServerEvent, serverEvent } from '#contract/core/events.ts';

const lockName = 'folio-events';
const channelName = 'folio-events';
const firstDelayMs = 500;
const longestDelayMs = 15_000;
/** Nobody tells a browser that slept, or changed its network, that its line is dead: two signs of life must be missing. */
const silenceTimeoutMs = 2 * heartbeatIntervalMs + 5000;
/** A server that is there begins its answer at once. */
const openTimeoutMs = 10_000;

/** An open line; `close` lets another tab take over. */
export interface EventStream {
	close: () => void;
}

/**
 * Listens to the server's hints over one stream for the whole browser: HTTP/1.1 stalls at the seventh connection of
 * an origin. The tab that holds the Web Lock reads the stream and tells the others; when it closes, another takes over.
 * The server first says what it has said since the screen asked, `ageMs` ago. Without Web Locks (plain http on a foreign host) each tab reads its own.
 */
export function openEventStream(
	onEvent: (hint: ServerEvent) => void,
	onConnection: (isUp: boolean) => void,
	ageMs: () => number,
): EventStream {
	const closed = new AbortController();
	const channel = new BroadcastChannel(channelName);
	channel.onmessage = (event) => {
		if (typeof event.data === 'boolean') onConnection(event.data);
		const parsed = serverEvent.safeParse(event.data);
		if (parsed.success) onEvent(parsed.data);
	};
	const publish = (message: ServerEvent) => {
		channel.postMessage(message);
		onEvent(message);
	};
	const publishConnection = (isUp: boolean) => {
		channel.postMessage(isUp);
		onConnection(isUp);
	};

	if ('locks' in navigator) {
		const requestedAt = Date.now();
		navigator.locks
			.request(lockName, { signal: closed.signal }, () => {
				// Taking over from another tab: what was said in between is lost.
				if (Date.now() - requestedAt > firstDelayMs) publish({ topic: 'resync' });
				return readStream(publish, publishConnection, ageMs, closed.signal);
			})
			.catch((error: unknown) => {
				if (!closed.signal.aborted) throw error;
			});
	} else {
		void readStream(onEvent, onConnection, ageMs, closed.signal);
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
	onEvent: (hint: ServerEvent) => void,
	onConnection: (isUp: boolean) => void,
	ageMs: () => number,
	signal: AbortSignal,
): Promise<void> {
	return new Promise((resolve) => {
		let source: EventSource | undefined;
		let timer: number | undefined;
		let silenceTimer: number | undefined;
		let delayMs = firstDelayMs;
		let wasOpen = false;

		const stop = () => {
			window.clearTimeout(timer);
			window.clearTimeout(silenceTimer);
			source?.close();
			resolve();
		};
		const reconnect = () => {
			window.clearTimeout(silenceTimer);
			source?.close();
			onConnection(false);
			timer = window.setTimeout(connect, delayMs);
			delayMs = Math.min(delayMs * 2, longestDelayMs);
		};
		const resetSilenceTimer = (timeoutMs = silenceTimeoutMs) => {
			window.clearTimeout(silenceTimer);
			silenceTimer = window.setTimeout(reconnect, timeoutMs);
		};
		const connect = () => {
			resetSilenceTimer(openTimeoutMs);
			source = new EventSource(wasOpen ? eventsPath : `${eventsPath}?ageMs=${ageMs()}`);
			source.onopen = () => {
				resetSilenceTimer();
				delayMs = firstDelayMs;
				onConnection(true);
				if (wasOpen) onEvent({ topic: 'resync' });
				wasOpen = true;
			};
			source.onmessage = (event: MessageEvent<string>) => {
				resetSilenceTimer();
				const heard = parseEvent(event.data);
				if (heard === undefined) return;
				if (heard.topic !== 'alive') onEvent(heard);
				if (heard.topic === 'ended') stop();
			};
			source.onerror = () => {
				// A refused stream stays closed: the session may be over, which the next look at everything finds out.
				const isRefused = source?.readyState === EventSource.CLOSED;
				reconnect();
				if (isRefused) onEvent({ topic: 'resync' });
			};
		};

		if (signal.aborted) return resolve();
		signal.addEventListener('abort', stop, { once: true });
		connect();
	});
}

function parseEvent(text: string): ServerEvent | undefined {
	try {
		const parsed = serverEvent.safeParse(JSON.parse(text));
		return parsed.success ? parsed.data : undefined;
	} catch {
		return undefined;
	}
}
