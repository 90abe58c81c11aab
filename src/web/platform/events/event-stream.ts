import { eventsPath, heartbeatIntervalMs, type ServerEvent } from '#contract/core/events.ts';

const lockName = 'folio-events';
const channelName = 'folio-events';
const firstDelayMs = 500;
const longestDelayMs = 15_000;
/** Without a heartbeat for this time, the connection counts as lost: after sleep, a browser may report no error. */
const silenceTimeoutMs = 2 * heartbeatIntervalMs + 5000;
/** In ms. A reachable server responds at once. */
const openTimeoutMs = 10_000;

/**
 * Opens one event stream for all tabs, because HTTP/1.1 allows only six connections to a server. The tab with the Web
 * Lock reads the stream and forwards events to the other tabs. On plain http, browsers have no Web Locks, and each tab
 * opens a stream.
 * @param ageMs returns the age of the oldest data on the page. The server first sends the events of this period.
 * @returns a function that closes the stream
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
		if (isServerEvent(event.data)) onEvent(event.data);
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

/** Calls `read` when this tab gets the lock. If another tab had the lock for a while, calls `onTakeover` first. */
async function readInTurn(signal: AbortSignal, read: () => Promise<void>, onTakeover: () => void): Promise<void> {
	const isFree = await navigator.locks.request(lockName, { ifAvailable: true }, async (lock) => {
		if (lock !== null) await read();
		return lock !== null;
	});
	if (isFree || signal.aborted) return;
	const waitsSince = Date.now();
	try {
		await navigator.locks.request(lockName, { signal }, () => {
			// Events may be lost between the other tab's last event and this tab's connection.
			if (Date.now() - waitsSince > firstDelayMs) onTakeover();
			return read();
		});
	} catch (error) {
		if (!signal.aborted) throw error;
	}
}

/** Reads the stream until `signal` aborts or the session ends. Reconnects with increasing delays. */
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
				// The server has refused the stream, perhaps because the session has ended. A resync refetches the session.
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

/** Checks only the form of an event. Topics that this version does not know are ignored in server-events.ts. */
function isServerEvent(value: unknown): value is ServerEvent {
	return typeof value === 'object' && value !== null && 'topic' in value && typeof value.topic === 'string';
}

function parseEvent(text: string): ServerEvent | undefined {
	try {
		const event: unknown = JSON.parse(text);
		return isServerEvent(event) ? event : undefined;
	} catch {
		return undefined;
	}
}
