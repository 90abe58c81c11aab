import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A fault between a server and its S3 store. */
export type ProxyFault =
	/** No fault. */
	| { kind: 'none' }
	/** The proxy responds with this status to all requests, or to every n-th request, without calling the store. */
	| { kind: 'status'; status: number; every?: number }
	/** The proxy accepts requests and never responds. */
	| { kind: 'silence' }
	/** The proxy closes connections without a response. */
	| { kind: 'refusal' }
	/** The store executes the request, but its response is lost: for all requests of a method, or the first `times`. */
	| { kind: 'lost-answer'; method: string; times?: number }
	/** Response bodies end after `afterBytes`: all of them, or the first `times`. */
	| { kind: 'cut'; afterBytes: number; times?: number }
	/** Like `cut`, but the connection stays open. */
	| { kind: 'stall'; afterBytes: number; times?: number };

export interface FaultyProxy {
	/** Endpoint of the proxy, to use instead of the store's. */
	endpoint: string;
	/** Sets the fault for all requests from now on. */
	setFault(fault: ProxyFault): void;
	/** Number of requests since the start, including failed ones. */
	readonly requests: number;
	close(): Promise<void>;
}

/** Starts a proxy that fails on command before an S3 store. The Host header stays unchanged, because it is signed. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
	let fault: ProxyFault = { kind: 'none' };
	let usesLeft = Number.POSITIVE_INFINITY;
	let requests = 0;
	const sockets = new Set<Socket>();
	const { hostname, port } = new URL(target);

	/** Counts a use of the fault. @returns false when the fault was already used `times` times */
	const isFaultDue = () => {
		usesLeft -= 1;
		return usesLeft >= 0;
	};

	function forward(incoming: IncomingMessage, response: ServerResponse): void {
		const outgoing = request({
			hostname,
			port,
			method: incoming.method,
			path: incoming.url,
			headers: incoming.headers,
		});
		outgoing.on('response', (upstreamResponse) => returnResponse(incoming, upstreamResponse, response));
		outgoing.on('error', () => response.destroy());
		response.on('close', () => outgoing.destroy());
		incoming.pipe(outgoing);
	}

	function returnResponse(
		incoming: IncomingMessage,
		upstreamResponse: IncomingMessage,
		response: ServerResponse,
	): void {
		if (fault.kind === 'lost-answer' && fault.method === incoming.method && isFaultDue()) {
			upstreamResponse.resume();
			upstreamResponse.on('end', () => incoming.socket.destroy());
			return;
		}
		response.writeHead(upstreamResponse.statusCode ?? 502, upstreamResponse.headers);
		const hasBody =
			incoming.method === 'GET' && upstreamResponse.statusCode !== undefined && upstreamResponse.statusCode < 300;
		if ((fault.kind === 'cut' || fault.kind === 'stall') && hasBody && isFaultDue())
			sendPartOfBody(upstreamResponse, response, fault);
		else upstreamResponse.pipe(response);
	}

	function answerWithFault(incoming: IncomingMessage, response: ServerResponse): boolean {
		if (fault.kind === 'refusal') {
			incoming.socket.destroy();
			return true;
		}
		if (fault.kind === 'silence') {
			incoming.resume();
			return true;
		}
		if (fault.kind !== 'status' || requests % (fault.every ?? 1) !== 0) return false;
		incoming.resume();
		response.writeHead(fault.status, { 'content-type': 'application/xml' });
		response.end('<?xml version="1.0"?><Error><Code>InternalError</Code><Message>on command</Message></Error>');
		return true;
	}

	const server = createServer((incoming, response) => {
		requests += 1;
		incoming.on('error', () => {});
		if (!answerWithFault(incoming, response)) forward(incoming, response);
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
			usesLeft = 'times' in next && next.times !== undefined ? next.times : Number.POSITIVE_INFINITY;
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
	upstreamResponse: IncomingMessage,
	response: ServerResponse,
	fault: ProxyFault & { afterBytes: number },
): void {
	let sent = 0;
	response.flushHeaders();
	upstreamResponse.on('data', (chunk: Buffer) => {
		const part = chunk.subarray(0, Math.max(0, fault.afterBytes - sent));
		sent += chunk.length;
		if (part.length > 0) response.write(part);
		if (sent < fault.afterBytes) return;
		upstreamResponse.pause();
		// Waits until the bytes already written are sent.
		if (fault.kind === 'cut') setImmediate(() => response.socket?.destroySoon());
	});
	upstreamResponse.on('end', () => response.end());
}
