import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Finds a free port: `wanted`, or a random one below the range of outgoing ports (32768 up, Linux's
 * ip_local_port_range), so that no client's connection can use the port of a server between its end and its restart.
 */
export async function freePort(host = '127.0.0.1', wanted = randomPort()) {
	let port = wanted;
	for (let tries = 0; tries < 50; tries += 1) {
		if (await isFree(host, port)) return port;
		port = randomPort();
	}
	throw new Error(`${host} has no free port.`);
}

function randomPort() {
	return randomInt(20_000, 32_000);
}

async function isFree(host, port) {
	const probe = createServer().listen(port, host);
	const isListening = await once(probe, 'listening').catch(() => false);
	await new Promise((resolve) => probe.close(resolve));
	return isListening !== false;
}
