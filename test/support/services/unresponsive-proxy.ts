import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** Starts an HTTP proxy that can stop forwarding bytes without notifying either side, like a phone without a signal. */
export async function startUnresponsiveProxy() {
	let isStalled = false;
	const sockets = new Set<Socket>();
	/** Connections whose bytes were dropped; they stay silent after `resume`. */
	const silentSockets = new Set<Socket>();
	const proxy = createServer((incoming: IncomingMessage, answer: ServerResponse) => {
		const { socket } = incoming;
		if (isStalled) silentSockets.add(socket);
		if (silentSockets.has(socket)) return;
		const { hostname, port, pathname, search } = new URL(incoming.url ?? '');
		const { method, headers } = incoming;
		const path = pathname + search;
		const outgoing = request({ hostname, port, path, method, headers, agent: false });
		incoming.pipe(outgoing);
		outgoing.on('error', () => socket.destroy());
		outgoing.on('response', (response) => {
			if (silentSockets.has(socket)) return;
			answer.writeHead(response.statusCode ?? 502, response.headers);
			answer.flushHeaders();
			response.on('data', (chunk) => void (silentSockets.has(socket) || answer.write(chunk)));
			response.on('end', () => void (silentSockets.has(socket) || answer.end()));
		});
		answer.on('close', () => outgoing.destroy());
	});
	// Playwright's request client uses CONNECT tunnels, which are always forwarded.
	proxy.on('connect', ({ url = '' }, socket) => {
		const { hostname, port } = new URL(`http://${url}`);
		const outgoing = connect(Number(port), hostname, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
		socket.pipe(outgoing).pipe(socket);
		for (const end of [socket, outgoing]) end.on('error', () => end.destroy());
	});
	proxy.on('connection', (socket: Socket) => {
		sockets.add(socket);
		socket.on('close', () => {
			sockets.delete(socket);
			silentSockets.delete(socket);
		});
	});
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
		/** Drops all bytes from now on. */
		stall: () => {
			isStalled = true;
			for (const socket of sockets) silentSockets.add(socket);
		},
		/** Forwards bytes of new connections again; dropped bytes are lost. */
		resume: () => {
			isStalled = false;
		},
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => proxy.close(resolve));
		},
	};
}
