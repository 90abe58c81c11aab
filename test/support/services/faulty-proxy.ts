import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fault between a server and its S3 store. */
export type ProxyFault =
	| { kind: 'none' }
	/** The proxy responds with this status to all requests, or to every n-th request, without calling the store. */
	| { kind: 'status'; status: number; every?: number }
	/** The proxy accepts requests and never responds. */
	| { kind: 'silence' }
	/** The proxy closes connections without a response. */
	| { kind: 'refusal' }
	/** The store executes the request, but the response is lost: for all requests of a method, or the first `times`. */
	| { kind: 'lost-answer'; method: string; times?: number }
	/** Response bodies end after `afterBytes`: all bodies, or the first `times`. */
	| { kind: 'cut'; afterBytes: number; times?: number }
	/** Like `cut`, but the connection stays open. */
	| { kind: 'stall'; afterBytes: number; times?: number };

export type FaultyProxy = Awaited<ReturnType<typeof startFaultyProxy>>;

/** Starts a proxy to an S3 store that fails on command. Keeps the Host header, which is part of the signature. */
export async function startFaultyProxy(target: string) {
	let fault: ProxyFault = { kind: 'none' };
	let usesLeft = Number.POSITIVE_INFINITY;
	let requests = 0;
	const { hostname, port } = new URL(target);

	/** Counts a use of the fault. @returns false after `times` uses */
	const isFaultDue = () => {
		usesLeft -= 1;
		return usesLeft >= 0;
	};

	function forward(incoming: IncomingMessage, response: ServerResponse): void {
		const { method, url: path, headers } = incoming;
		const outgoing = request({ hostname, port, method, path, headers });
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

	function answer(incoming: IncomingMessage, response: ServerResponse) {
		if (fault.kind === 'refusal') return incoming.socket.destroy();
		const isFailed = fault.kind === 'status' && requests % (fault.every ?? 1) === 0;
		if (fault.kind !== 'silence' && !isFailed) return forward(incoming, response);
		incoming.resume();
		if (fault.kind !== 'status') return undefined;
		response.writeHead(fault.status, { 'content-type': 'application/xml' });
		return response.end('<?xml version="1.0"?><Error><Code>InternalError</Code><Message>on command</Message></Error>');
	}

	const server = createServer((incoming, response) => {
		requests += 1;
		incoming.on('error', () => {});
		answer(incoming, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		setFault(next: ProxyFault) {
			fault = next;
			usesLeft = 'times' in next && next.times !== undefined ? next.times : Number.POSITIVE_INFINITY;
		},
		get requests() {
			return requests;
		},
		async close() {
			server.closeAllConnections();
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
