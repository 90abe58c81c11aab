import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Starts a TCP proxy that can stop forwarding bytes without notifying either side. */
export async function startSilentProxy(target: { host: string; port: number }) {
	const sockets = new Set<Socket>();
	const connections: Array<{ ends: Socket[]; sent: string }> = [];
	let silencedText: string | null = null;
	const stopForwarding = (ends: Iterable<Socket>) => {
		for (const socket of ends) {
			socket.removeAllListeners('data');
			socket.pause();
		}
	};
	const stopSilenced = () => {
		for (const { ends, sent } of connections)
			if (silencedText !== null && sent.includes(silencedText)) stopForwarding(ends);
	};
	const server = createServer((near) => {
		const far = connect(target.port, target.host);
		const connection = { ends: [near, far], sent: '' };
		connections.push(connection);
		near.on('data', (bytes) => {
			if (connection.sent.length < 4096) connection.sent += bytes.toString('latin1');
			stopSilenced();
		});
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
		count: () => connections.length,
		/** Stops forwarding bytes on all open connections; new connections work. */
		silence: () => stopForwarding(sockets),
		/** Like `silence`, for the connections whose client has sent this text, also for new ones. */
		silenceWith: (text: string) => {
			silencedText = text;
			stopSilenced();
		},
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
