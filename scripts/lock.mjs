import { link, mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const beatMs = 2000;
/** A holder that has not shown itself for this long is gone, even if another process has its number now. */
const staleMs = 20_000;

/**
 * Runs `work` while no other process on this machine holds the same lock file. The file appears whole
 * (a hard link), names its holder and is touched every 2 s; a dead holder's file is taken over.
 */
export async function withLock(file, work) {
	await mkdir(dirname(file), { recursive: true });
	await take(file);
	const beat = setInterval(() => utimes(file, new Date(), new Date()).catch(() => {}), beatMs);
	try {
		return await work();
	} finally {
		clearInterval(beat);
		await rm(file, { force: true });
	}
}

async function take(file) {
	const own = `${file}.${process.pid}`;
	await writeFile(own, String(process.pid));
	try {
		for (let isAnnounced = false; ; isAnnounced = true) {
			try {
				return await link(own, file);
			} catch (error) {
				if (error.code !== 'EEXIST') throw error;
			}
			const holder = await readHolder(file);
			if (holder === null || !holder.isAlive) {
				await removeStale(file, holder?.pid);
				continue;
			}
			if (!isAnnounced) console.error(`Waiting for another process (${holder.pid}) that sets up here …`);
			await sleep(200);
		}
	} finally {
		await rm(own, { force: true });
	}
}

async function readHolder(file) {
	try {
		const pid = Number(await readFile(file, 'utf8'));
		const { mtimeMs } = await stat(file);
		return { pid, isAlive: pid !== process.pid && isRunning(pid) && Date.now() - mtimeMs < staleMs };
	} catch (error) {
		if (error.code === 'ENOENT') return null;
		throw error;
	}
}

/** Two may find the same dead holder: the slower one must not remove the lock that the faster one has taken since. */
async function removeStale(file, stalePid) {
	const aside = `${file}.${process.pid}.stale`;
	try {
		await rename(file, aside);
		if (Number(await readFile(aside, 'utf8')) !== stalePid) await link(aside, file);
	} catch (error) {
		if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
	} finally {
		await rm(aside, { force: true });
	}
}

function isRunning(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}
