import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What goes wrong between a server and its store. */
export type ProxyFault =
	/** Nothing. */
	| { kind: 'none' }
	/** The store is not asked; all requests, or every second one, are answered with a fault of its own. */
	| { kind: 'status'; status: number; every?: number }
	/** Requests are taken and never answered. */
	| { kind: 'silence' }
	/** Connections end before anything was said. */
	| { kind: 'refusal' }
	/** The store does what it is asked, and nobody hears of it: of all requests of a method, or a number of them. */
	| { kind: 'lost-answer'; method: string; times?: number }
	/** Bodies that come back end in the middle: all, or a number of them. */
	| { kind: 'cut'; afterBytes: number; times?: number }
	/** The same, but nothing tells that nothing more comes. */
	| { kind: 'stall'; afterBytes: number; times?: number };

export interface FaultyProxy {
	/** Ask here in place of the store. */
	endpoint: string;
	/** From now on, until it is told something else. */
	setFault(fault: ProxyFault): void;
	/** Requests since the start, those that went wrong among them. */
	readonly requests: number;
	close(): Promise<void>;
}

/** A proxy in front of an S3 store that fails on command. The signed Host header goes through as it is. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
	let fault: ProxyFault = { kind: 'none' };
	let left = Number.POSITIVE_INFINITY;
	let requests = 0;
	const sockets = new Set<Socket>();
	const { hostname, port } = new URL(target);

	/** Whether this one goes wrong, by a fault of which there may be so many only. */
	const isTurn = () => {
		left -= 1;
		return left >= 0;
	};

	function forward(asked: IncomingMessage, answer: ServerResponse): void {
		const onward = request({ hostname, port, method: asked.method, path: asked.url, headers: asked.headers });
		onward.on('response', (given) => giveBack(asked, given, answer));
		onward.on('error', () => answer.destroy());
		answer.on('close', () => onward.destroy());
		asked.pipe(onward);
	}

	function giveBack(asked: IncomingMessage, given: IncomingMessage, answer: ServerResponse): void {
		if (fault.kind === 'lost-answer' && fault.method === asked.method && isTurn()) {
			given.resume();
			given.on('end', () => asked.socket.destroy());
			return;
		}
		answer.writeHead(given.statusCode ?? 502, given.headers);
		const hasBody = asked.method === 'GET' && given.statusCode !== undefined && given.statusCode < 300;
		if ((fault.kind === 'cut' || fault.kind === 'stall') && hasBody && isTurn()) sendPartOfBody(given, answer, fault);
		else given.pipe(answer);
	}

	function answerWithFault(asked: IncomingMessage, answer: ServerResponse): boolean {
		if (fault.kind === 'refusal') {
			asked.socket.destroy();
			return true;
		}
		if (fault.kind === 'silence') {
			asked.resume();
			return true;
		}
		if (fault.kind !== 'status' || requests % (fault.every ?? 1) !== 0) return false;
		asked.resume();
		answer.writeHead(fault.status, { 'content-type': 'application/xml' });
		answer.end('<?xml version="1.0"?><Error><Code>InternalError</Code><Message>on command</Message></Error>');
		return true;
	}

	const server = createServer((asked, answer) => {
		requests += 1;
		asked.on('error', () => {});
		if (!answerWithFault(asked, answer)) forward(asked, answer);
	});
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.on('error', () => {});
		socket.on('close', () => sockets.delete(socket));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		setFault(next) {
			fault = next;
			left = 'times' in next && next.times !== undefined ? next.times : Number.POSITIVE_INFINITY;
		},
		get requests() {
			return requests;
		},
		async close() {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** Some bytes, then an end that tells, or nothing. */
function sendPartOfBody(
	given: IncomingMessage,
	answer: ServerResponse,
	fault: ProxyFault & { afterBytes: number },
): void {
	let sent = 0;
	answer.flushHeaders();
	given.on('data', (chunk: Buffer) => {
		const some = chunk.subarray(0, Math.max(0, fault.afterBytes - sent));
		sent += chunk.length;
		if (some.length > 0) answer.write(some);
		if (sent < fault.afterBytes) return;
		given.pause();
		// What was written goes out first.
		if (fault.kind === 'cut') setImmediate(() => answer.socket?.destroySoon());
	});
	given.on('end', () => answer.end());
}
