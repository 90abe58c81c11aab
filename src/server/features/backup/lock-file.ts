import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as z from 'zod';
import { hasDied } from '../../platform/holds/holds.ts';
import { RefusedError } from './progress.ts';

const staleAfterMs = 60_000;
const touchEveryMs = 15_000;

const lockOwner = z.object({ token: z.string(), host: z.string(), pid: z.number() });
type LockOwner = z.infer<typeof lockOwner>;

/**
 * Does work that only one process may do at a time, with a file as the sign of it: it names host and process, is touched
 * while the work goes on, and removed at its end. One that was not touched for a minute, or is of a process of this host
 * that has died, is taken over.
 * @param what the work, for a sentence: "Another backup into DIR"
 * @param work is given a check that the lock was not taken over meanwhile
 * @throws RefusedError while another does this work, and when another has begun it because this one stood still too long
 */
export async function withLockFile<T>(
	file: string,
	what: string,
	work: (requireKept: () => Promise<void>) => Promise<T>,
): Promise<T> {
	const owner = { token: randomUUID(), host: hostname(), pid: process.pid };
	await takeLock(file, owner, what);
	const isKept = async () => (await findLock(file))?.owner?.token === owner.token;
	const requireKept = async () => {
		if (!(await isKept()))
			throw new RefusedError(`${what} has begun while this one stood still for more than a minute. Run it again.`);
	};
	const touch = async () => {
		if (await isKept()) await utimes(file, new Date(), new Date());
	};
	// One that fails is made up for by the next; a lock that is lost is found out by the check.
	const timer = setInterval(() => void touch().catch(() => {}), touchEveryMs);
	timer.unref();
	try {
		return await work(requireKept);
	} catch (error) {
		// Whatever went wrong where two were at work, that is why.
		await requireKept();
		throw error;
	} finally {
		clearInterval(timer);
		if (await isKept()) await rm(file, { force: true });
	}
}

async function takeLock(file: string, owner: LockOwner, what: string): Promise<void> {
	const text = JSON.stringify(owner);
	for (;;) {
		try {
			await writeFile(file, text, { flag: 'wx', mode: 0o600 });
			return;
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
		}
		const there = await findLock(file);
		// Let go in between.
		if (there === null) continue;
		if (!isAbandoned(there))
			throw new RefusedError(`${what} is under way${inWords(there)}: wait for its end, or a minute if it was killed.`);
		// Of two that take it over at once the later one has it, and the other finds out before it is done.
		const aside = `${file}.${owner.token}`;
		await writeFile(aside, text, { flag: 'wx', mode: 0o600 });
		await rename(aside, file);
		return;
	}
}

interface FoundLock {
	/** Null in the moment between its making and its first words, and where a full disk kept it from them. */
	owner: LockOwner | null;
	touchedAt: Date;
}

async function findLock(file: string): Promise<FoundLock | null> {
	try {
		const text = await readFile(file, 'utf8');
		const { mtime } = await stat(file);
		return { owner: lockOwner.safeParse(parse(text)).data ?? null, touchedAt: mtime };
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
		throw error;
	}
}

function isAbandoned({ owner, touchedAt }: FoundLock): boolean {
	return Date.now() - touchedAt.getTime() > staleAfterMs || (owner !== null && hasDied(owner));
}

function inWords({ owner }: FoundLock): string {
	return owner === null ? '' : ` (process ${owner.pid} on ${owner.host})`;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
