import { link, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './processes.mjs';

const beatMs = 2000;
/** A holder that has not shown itself for this long is gone, even if another process has its number now. */
const staleMs = 20_000;
/** What a turn's file says when its holder has finished. */
const finished = 'finished';

/**
 * Runs `work` while no other process on this machine holds the same lock. Each holder has a turn of its own, the file
 * `{file}.{turn}`: it appears whole (a hard link), names its holder and is touched every 2 s. The next turn may be taken
 * when the last one is finished or its holder is gone. A turn is never given again, so that two who find the same dead
 * holder cannot both come after it, however slow one of them is.
 */
export async function withLock(file, work) {
	await mkdir(dirname(file), { recursive: true });
	const turn = await take(file);
	const beat = setInterval(() => utimes(turn, new Date(), new Date()).catch(() => {}), beatMs);
	try {
		return await work();
	} finally {
		clearInterval(beat);
		await writeFile(turn, finished);
	}
}

/** Waits for a turn; the name of its file. */
async function take(file) {
	const own = `${file}.of-${process.pid}`;
	await writeFile(own, String(process.pid));
	try {
		for (let isAnnounced = false; ; ) {
			const last = (await readTurns(file)).at(-1) ?? 0;
			const holder = await readHolder(`${file}.${last}`);
			if (holder !== null) {
				if (!isAnnounced) console.error(`Waiting for another process (${holder}) that sets up here …`);
				isAnnounced = true;
				await sleep(200);
			} else if (await takeTurn(file, own, last + 1)) {
				return `${file}.${last + 1}`;
			}
		}
	} finally {
		await rm(own, { force: true });
	}
}

/** False if another has taken this turn, or a later one has been given since `turn` was chosen. */
async function takeTurn(file, own, turn) {
	try {
		await link(own, `${file}.${turn}`);
	} catch (error) {
		if (error.code === 'EEXIST') return false;
		throw error;
	}
	const turns = await readTurns(file);
	const isLast = turns.at(-1) === turn;
	// Of all turns the last one's file alone has to stay: it says whose it is, and which the next one is.
	const needless = isLast ? turns.slice(0, -1) : [turn];
	for (const each of needless) await rm(`${file}.${each}`, { force: true });
	return isLast;
}

/** The turns whose files are there, in order. */
async function readTurns(file) {
	const start = `${basename(file)}.`;
	const names = (await readdir(dirname(file))).filter((name) => name.startsWith(start));
	return names
		.map((name) => name.slice(start.length))
		.filter((turn) => /^\d+$/u.test(turn))
		.map(Number)
		.sort((one, other) => one - other);
}

/** The process whose turn it is; null when it has finished, is gone or never was. */
async function readHolder(turn) {
	try {
		const said = await readFile(turn, 'utf8');
		const { mtimeMs } = await stat(turn);
		const pid = Number(said);
		const isHeld = said !== finished && pid !== process.pid && isRunning(pid) && Date.now() - mtimeMs < staleMs;
		return isHeld ? pid : null;
	} catch (error) {
		if (error.code === 'ENOENT') return null;
		throw error;
	}
}
