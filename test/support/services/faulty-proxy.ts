import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A fault between a server and its S3 store. */
export type ProxyFault =
	/** No fault. */
	| { kind: 'none' }
	/** The proxy itself answers all requests, or every n-th one, with this status. */
	| { kind: 'status'; status: number; every?: number }
	/** Requests are accepted and never answered. */
	| { kind: 'silence' }
	/** Connections are closed without an answer. */
	| { kind: 'refusal' }
	/** The store executes the request, but the answer is lost: for all requests of a method, or the first `times`. */
	| { kind: 'lost-answer'; method: string; times?: number }
	/** Response bodies end after `afterBytes`: all of them, or the first `times`. */
	| { kind: 'cut'; afterBytes: number; times?: number }
	/** Like `cut`, but the connection stays open. */
	| { kind: 'stall'; afterBytes: number; times?: number };

export interface FaultyProxy {
	/** Address to use in place of the store's. */
	endpoint: string;
	/** Sets the fault of all requests from now on. */
	setFault(fault: ProxyFault): void;
	/** Number of requests since the start, including failed ones. */
	readonly requests: number;
	close(): Promise<void>;
}

/** Starts a proxy before an S3 store that fails on command. It passes the signed Host header unchanged. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
	let fault: ProxyFault = { kind: 'none' };
	let left = Number.POSITIVE_INFINITY;
	let requests = 0;
	const sockets = new Set<Socket>();
	const { hostname, port } = new URL(target);

	/** Whether the fault still applies; counts the uses of a fault that is limited by `times`. */
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

/** Sends the first bytes of a body, then closes the connection or stalls. */
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
		// The bytes already written are sent first.
		if (fault.kind === 'cut') setImmediate(() => answer.socket?.destroySoon());
	});
	given.on('end', () => answer.end());
}
