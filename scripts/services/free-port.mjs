import { createServer } from 'node:net';

/** Finds a free port of an address: `wanted`, or any other if that one is taken. */
export async function freePort(host = '127.0.0.1', wanted = 0) {
	return (await tryPort(host, wanted)) ?? (await tryPort(host, 0));
}

function tryPort(host, port) {
	return new Promise((resolve, reject) => {
		const probe = createServer();
		probe.once('error', (error) => (port === 0 ? reject(error) : resolve(null)));
		probe.listen(port, host, () => {
			const address = probe.address();
			probe.close(() => resolve(address.port));
		});
	});
}
