import { eventsPath, heartbeatIntervalMs, type ServerEvent, serverEvent } from '#contract/core/events.ts';

const lockName = 'folio-events';
const channelName = 'folio-events';
const firstDelayMs = 500;
const longestDelayMs = 15_000;
/** A browser may report no error after sleep: silence for two heartbeats and 5 s counts as a lost connection. */
const silenceTimeoutMs = 2 * heartbeatIntervalMs + 5000;
/** Time in ms to wait for a response, which a reachable server begins at once. */
const openTimeoutMs = 10_000;

/**
 * Reads the server's events over one stream for the whole browser: HTTP/1.1 allows six connections to an origin. The
 * tab that has the Web Lock reads the stream and forwards events to the others; when it closes, another tab takes over.
 * The server first sends the events of the last `ageMs`, the age of the oldest data on the page. Without Web Locks
 * (plain http on another host) each tab opens its own stream.
 * @returns a function that closes the stream, so that another tab takes over
 */
export function openEventStream(
	onEvent: (event: ServerEvent) => void,
	onConnection: (isUp: boolean) => void,
	ageMs: () => number,
): () => void {
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

	const read = () => readStream(publish, publishConnection, ageMs, closed.signal);
	if ('locks' in navigator) {
		void readInTurn(closed.signal, read, () => publish({ topic: 'resync' }));
	} else {
		void readStream(onEvent, onConnection, ageMs, closed.signal);
	}

	return () => {
		closed.abort();
		channel.close();
	};
}

/**
 * Calls `read` once this tab has the lock. The first request does not wait: if no other tab had the lock, no events
 * were missed, however long it takes to get the lock.
 */
async function readInTurn(signal: AbortSignal, read: () => Promise<void>, onTakeover: () => void): Promise<void> {
	const isFree = await navigator.locks.request(lockName, { ifAvailable: true }, async (lock) => {
		if (lock !== null) await read();
		return lock !== null;
	});
	if (isFree || signal.aborted) return;
	const waitsSince = Date.now();
	try {
		await navigator.locks.request(lockName, { signal }, () => {
			// Events after the other tab's last event and before this connection may have been missed.
			if (Date.now() - waitsSince > firstDelayMs) onTakeover();
			return read();
		});
	} catch (error) {
		if (!signal.aborted) throw error;
	}
}

/** Reads the stream until `signal` aborts, reconnecting with growing pauses. */
function readStream(
	onEvent: (event: ServerEvent) => void,
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
				const parsedEvent = parseEvent(event.data);
				if (parsedEvent === undefined) return;
				if (parsedEvent.topic !== 'alive') onEvent(parsedEvent);
				if (parsedEvent.topic === 'ended') stop();
			};
			source.onerror = () => {
				// The browser does not reconnect after a refused stream. The session may have ended, which refetching
				// everything shows.
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
