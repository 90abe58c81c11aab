import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Starts a TCP proxy that can stop forwarding bytes without notifying either side. */
export async function startSilentProxy(target: { host: string; port: number }) {
	const sockets = new Set<Socket>();
	let count = 0;
	const server = createServer((near) => {
		count += 1;
		const far = connect(target.port, target.host);
		for (const [from, to] of [
			[near, far],
			[far, near],
		] as const) {
			sockets.add(from);
			from.on('data', (bytes) => to.write(bytes));
			from.on('error', () => to.destroy());
			from.on('close', () => {
				sockets.delete(from);
				to.destroy();
			});
		}
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		port: (server.address() as AddressInfo).port,
		count: () => count,
		/** Stops forwarding bytes on all open connections; new connections work. */
		silence: () => {
			for (const socket of sockets) {
				socket.removeAllListeners('data');
				socket.pause();
			}
		},
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
