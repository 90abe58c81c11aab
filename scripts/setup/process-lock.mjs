import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Runs `work` while no other process on this machine holds the lock of the same name. The holder listens on an address
 * that is derived from the name. The system frees the address when the process ends, even by a kill.
 *
 * The lock is a socket because these scripts start on Node 20, which has no file lock and no SQLite.
 * @param {string} name a path; no file is created there
 */
export async function withLock(name, work) {
	const server = createServer((socket) => socket.destroy());
	for (let isAnnounced = false; !(await tryToListen(server, addressOf(name))); isAnnounced = true) {
		if (!isAnnounced) console.error('Waiting for another process that sets up here …');
		await sleep(200);
	}
	try {
		return await work();
	} finally {
		await new Promise((done) => server.close(done));
	}
}

/** An abstract socket (unix(7)), which has no file; a pipe on Windows; elsewhere a port of the loopback address. */
function addressOf(name) {
	const hash = createHash('sha256').update(resolve(name)).digest('hex').slice(0, 32);
	if (process.platform === 'linux') return { path: `\0folio-lock-${hash}` };
	if (process.platform === 'win32') return { path: `\\\\.\\pipe\\folio-lock-${hash}` };
	return { host: '127.0.0.1', port: 20_000 + (Number.parseInt(hash.slice(0, 8), 16) % 12_000) };
}

/** @returns {Promise<boolean>} whether the server listens now: false when another process listens on the address */
function tryToListen(server, address) {
	return new Promise((done, fail) => {
		server.once('error', (error) => (error.code === 'EADDRINUSE' ? done(false) : fail(error)));
		server.listen(address, () => done(true));
	});
}
