import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** An HTTP proxy that can fail like a phone's connection: no more bytes pass, and neither side is notified. */
export interface UnresponsiveProxy {
	/** For a browser's `proxy.server`. */
	url: string;
	/** Drops all bytes from now on. */
	stall(): void;
	/** Passes bytes again from now on; dropped bytes are lost. */
	resume(): void;
	close(): Promise<void>;
}

/** Starts the proxy on a free port. */
export async function startUnresponsiveProxy(): Promise<UnresponsiveProxy> {
	let isDead = false;
	const sockets = new Set<Socket>();
	/** Connections that have lost bytes, and stay silent for good. */
	const swallowing = new Set<Socket>();
	const proxy = createServer((asked: IncomingMessage, answer: ServerResponse) => {
		const { socket } = asked;
		if (isDead) swallowing.add(socket);
		if (swallowing.has(socket)) return;
		const { hostname, port, pathname, search } = new URL(asked.url ?? '');
		const { method, headers } = asked;
		const passed = request({
			hostname,
			port,
			path: pathname + search,
			method,
			headers,
			agent: false,
		});
		asked.pipe(passed);
		passed.on('error', () => socket.destroy());
		passed.on('response', (response) => {
			if (swallowing.has(socket)) return;
			answer.writeHead(response.statusCode ?? 502, response.headers);
			answer.flushHeaders();
			response.on('data', (chunk) => void (swallowing.has(socket) || answer.write(chunk)));
			response.on('end', () => void (swallowing.has(socket) || answer.end()));
		});
		answer.on('close', () => passed.destroy());
	});
	// The test's own calls use a tunnel and are not affected.
	proxy.on('connect', ({ url = '' }, socket) => {
		const { hostname, port } = new URL(`http://${url}`);
		const passed = connect(Number(port), hostname, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
		socket.pipe(passed).pipe(socket);
		for (const end of [socket, passed]) end.on('error', () => end.destroy());
	});
	proxy.on('connection', (socket: Socket) => {
		sockets.add(socket);
		socket.on('close', () => {
			sockets.delete(socket);
			swallowing.delete(socket);
		});
	});
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
		stall: () => {
			isDead = true;
			for (const socket of sockets) swallowing.add(socket);
		},
		resume: () => {
			isDead = false;
		},
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => proxy.close(resolve));
		},
	};
}
