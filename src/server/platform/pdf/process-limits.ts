import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PdfFailure } from './qpdf.ts';

const checkIntervalMs = 200;
const pageSize = 4096;

export interface ProcessLimits {
	/** Processor time in milliseconds, of all threads together. */
	maxCpuMs: number;
	/** Time in milliseconds since the start, including the time in which the process waits. */
	maxElapsedMs: number;
	/** Resident memory in bytes: the heap and the memory outside it. */
	maxMemoryBytes: number;
}

/** Thrown when a PDF cannot be read because it is damaged, locked or empty, or needs too much time or memory. */
export class PdfError extends Error {
	override name = 'PdfError';
	readonly reason: PdfFailure;
	/** Whether the machine lacked time or memory, so a later attempt may succeed. */
	readonly isTemporary: boolean;
	/** The reason as it is stored: with the number of the page if one page is the cause, as in `broken 7`. */
	readonly failure: string;
	constructor(
		reason: PdfFailure,
		why: string,
		{ isTemporary = false, page }: { isTemporary?: boolean; page?: number } = {},
	) {
		super(why);
		this.reason = reason;
		this.isTemporary = isTemporary;
		this.failure = page === undefined ? reason : `${reason} ${page}`;
	}
}

/** Maximum heap and permissions of a process. It has no other permissions and no environment variables. */
interface Restrictions {
	heapMegabytes: number;
	/** Returns the only files and folders that the process may read. `script` is the path of the process's script. */
	readable: (script: string) => string[];
	/** Flags of Node for further permissions. */
	permissions: readonly string[];
	serialization?: ForkOptions['serialization'];
}

/** Starts a script with one argument. The script is beside this file, or in the folder of the built server. */
export function startRestrictedProcess(name: string, argument: string, allowed: Restrictions): ChildProcess {
	const here = import.meta.dirname;
	const candidates = [join(here, `${name}.ts`), join(here, `${name}.js`)];
	const script = candidates.find((path) => existsSync(path)) ?? join(here, '..', `${name}.js`);
	return fork(script, [argument], {
		execArgv: [
			'--no-warnings',
			`--max-old-space-size=${allowed.heapMegabytes}`,
			'--permission',
			...allowed.readable(script).map((path) => `--allow-fs-read=${path}`),
			...allowed.permissions,
		],
		env: {},
		serialization: allowed.serialization,
		stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
	});
}

/**
 * Waits until `communicate` resolves or rejects, or the process exceeds a limit or ends by itself. Then kills the
 * process.
 * @throws PdfError
 */
export async function runWithinLimits<T>(
	child: ChildProcess,
	bounds: ProcessLimits,
	communicate: (resolve: (result: T) => void, reject: (error: Error) => void) => void,
): Promise<T> {
	const { promise, resolve, reject } = Promise.withResolvers<T>();
	const fail = (why: string, isTemporary: boolean) => reject(new PdfError('heavy', why, { isTemporary }));
	// Temporary, because the process most likely waited for other work or a slow disk.
	const longest = setTimeout(fail, bounds.maxElapsedMs, 'waits too long', true);
	const timer = setInterval(() => void checkUsage(child, bounds, fail), checkIntervalMs);
	child.once('error', (error) => fail(error.message, true));
	// The operating system sends SIGKILL when it is out of memory.
	child.once('exit', (code, signal) => fail(`ended by itself: ${signal ?? code}`, signal === 'SIGKILL'));
	try {
		communicate(resolve, reject);
		return await promise;
	} finally {
		clearTimeout(longest);
		clearInterval(timer);
		child.removeAllListeners();
		// Errors of messages that can no longer be delivered must not end the server.
		child.on('error', () => {});
		child.kill('SIGKILL');
	}
}

/** Checks processor time and memory on Linux. Other systems limit only the heap and the elapsed time. */
async function checkUsage(
	child: ChildProcess,
	bounds: ProcessLimits,
	fail: (why: string, isTemporary: boolean) => void,
) {
	const read = (name: string) => readFile(`/proc/${child.pid}/${name}`, 'latin1').catch(() => '');
	const [statm, stat] = await Promise.all([read('statm'), read('stat')]);
	if (Number(statm.split(' ')[1] ?? 0) * pageSize > bounds.maxMemoryBytes) fail('takes too much memory', false);
	// Source: proc_pid_stat(5). utime and stime are the 12th and 13th field after the name, in ticks of 10 ms.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	if ((Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10 > bounds.maxCpuMs) fail('takes too long', false);
}
