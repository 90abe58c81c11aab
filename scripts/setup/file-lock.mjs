import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Content of a turn's file once its holder has finished. */
const finished = 'finished';
const socketPrefix = 'folio-lock-';
/** Error codes of `connect` when nothing listens. */
const endedCodes = ['ECONNREFUSED', 'ENOENT', 'ENOTDIR'];
/** Error codes of `connect` when the queue of a running process is full. */
const busyCodes = ['EAGAIN', 'EBUSY'];

/**
 * Runs `work` while no other process on this machine holds the same lock. Each holder has a numbered turn, the file
 * `{file}.{turn}`: a hard link, so it appears complete. The file names a socket that its holder listens on and that the
 * system closes when the holder ends, even by a kill. The next turn may be taken when the last one is finished or
 * nothing listens on its socket. A number is never reused, so that of two processes that find the same dead holder only
 * one can follow it, even if the other is slow.
 *
 * It uses sockets because these scripts start on Node 20, which has no file lock and no SQLite.
 *
 * @throws Error with a message of one line when no socket can be made, or the last holder's cannot be reached
 */
export async function withLock(file, work) {
	await mkdir(dirname(file), { recursive: true });
	const { address, close } = await listen();
	try {
		const turn = await acquire(file, address);
		try {
			return await work();
		} finally {
			await writeFile(turn, finished);
		}
	} finally {
		close();
	}
}

/** Listens on a new socket, which shows other processes that this one is running. */
async function listen() {
	const name = `${socketPrefix}${randomUUID()}`;
	const address = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
	const server = createServer((socket) => socket.destroy());
	await new Promise((resolve, reject) => {
		server.once('error', reject);
		// Open to all: an account that may not connect could not tell whether anything listens.
		server.listen({ path: address, readableAll: true, writableAll: true }, resolve);
	}).catch((error) => {
		throw new Error(
			`No socket can be made in ${tmpdir()} (${error.code}). Set TMPDIR to an existing folder with a short path that this user can write to.`,
			{ cause: error },
		);
	});
	server.unref();
	return { address, close: () => server.close() };
}

/** Waits for a turn and returns the name of its file. */
async function acquire(file, address) {
	const own = `${file}.of-${randomUUID()}`;
	await writeFile(own, address);
	try {
		for (let isAnnounced = false; ; ) {
			const last = (await readLockNumbers(file)).at(-1) ?? 0;
			if (await isHeld(`${file}.${last}`)) {
				if (!isAnnounced) console.error('Waiting for another process that sets up here …');
				isAnnounced = true;
				await sleep(200);
			} else if (await acquireNumber(file, own, last + 1)) {
				return `${file}.${last + 1}`;
			}
		}
	} finally {
		await rm(own, { force: true });
	}
}

/** Takes a turn. Returns false if another process took it, or a later one, since `turn` was chosen. */
async function acquireNumber(file, own, turn) {
	try {
		await link(own, `${file}.${turn}`);
	} catch (error) {
		if (error.code === 'EEXIST') return false;
		throw error;
	}
	const turns = await readLockNumbers(file);
	const isLast = turns.at(-1) === turn;
	// Only the last turn's file is needed: it names the holder and determines the next number.
	const needless = isLast ? turns.slice(0, -1) : [turn];
	for (const each of needless) await rm(`${file}.${each}`, { force: true });
	return isLast;
}

/** Reads the numbers of all turns that have a file, in ascending order. */
async function readLockNumbers(file) {
	const start = `${basename(file)}.`;
	const names = (await readdir(dirname(file))).filter((name) => name.startsWith(start));
	return names
		.map((name) => name.slice(start.length))
		.filter((turn) => /^\d+$/u.test(turn))
		.map(Number)
		.sort((one, other) => one - other);
}

/**
 * Whether the holder of a turn is at work: false when it has finished or has ended, or the turn does not exist.
 * @throws Error when its socket cannot be reached, for example in a folder of another user
 */
async function isHeld(turn) {
	let address;
	try {
		address = await readFile(turn, 'utf8');
	} catch (error) {
		if (error.code === 'ENOENT') return false;
		throw error;
	}
	if (address === finished) return false;
	const code = await tryToConnect(address);
	if (code === undefined || busyCodes.includes(code)) return true;
	if (!endedCodes.includes(code))
		throw new Error(
			`The process that holds the lock ${turn} cannot be reached (${code}). Wait until it has ended, then remove that file; or run this as the same user.`,
		);
	// A killed process leaves the name of its socket behind.
	if (code === 'ECONNREFUSED' && basename(address).startsWith(socketPrefix)) await rm(address, { force: true });
	return false;
}

/** @param {string} address @returns {Promise<string | undefined>} the code of the error, if there is one */
function tryToConnect(address) {
	return new Promise((resolve) => {
		const socket = connect({ path: address });
		socket.once('connect', () => {
			socket.destroy();
			resolve(undefined);
		});
		socket.once('error', (error) => resolve(error.code));
	});
}
