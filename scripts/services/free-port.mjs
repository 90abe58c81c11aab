import { once } from 'node:events';
import { createServer } from 'node:net';

/** Finds a free port: `wanted`, or another port if `wanted` is in use. */
export async function freePort(host = '127.0.0.1', wanted = 0) {
	const probe = await listen(host, wanted).catch(() => listen(host, 0));
	const { port } = probe.address();
	await new Promise((resolve) => probe.close(resolve));
	return port;
}

/** Finds different free ports of the loopback address. */
export async function freePorts(count) {
	const probes = await Promise.all(Array.from({ length: count }, () => listen('127.0.0.1', 0)));
	const ports = probes.map((probe) => probe.address().port);
	await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
	return ports;
}

async function listen(host, port) {
	const probe = createServer().listen(port, host);
	await once(probe, 'listening');
	return probe;
}
