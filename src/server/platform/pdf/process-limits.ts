import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const checkIntervalMs = 200;
const pageSize = 4096;

/** Limits of a process: processor time, elapsed time, and total memory in bytes. */
export interface ProcessLimits {
	workMs: number;
	longestMs: number;
	mostBytes: number;
}

/** The exceeded limit. `waits`: elapsed time, because other work or a slow disk kept the process waiting. */
type ExceededLimit = 'waits' | 'memory' | 'work';

/** Calls `fail` when a process exceeds a limit. @returns a function that ends the checks */
export function enforceLimits(
	child: ChildProcess,
	bounds: ProcessLimits,
	fail: (bound: ExceededLimit) => void,
): () => void {
	const longest = setTimeout(fail, bounds.longestMs, 'waits');
	const timer = setInterval(() => void checkUsage(child, bounds, fail), checkIntervalMs);
	return () => {
		clearTimeout(longest);
		clearInterval(timer);
	};
}

/** Returns the path of a process's script: beside this file, or in the folder of the built server. */
export function processScriptPath(name: string): string {
	const here = import.meta.dirname;
	const candidates = [join(here, `${name}.ts`), join(here, `${name}.js`)];
	return candidates.find((path) => existsSync(path)) ?? join(here, '..', `${name}.js`);
}

/** Checks processor time and memory, on Linux only; on other systems only the heap limit and the elapsed time count. */
async function checkUsage(
	child: ChildProcess,
	bounds: ProcessLimits,
	fail: (bound: ExceededLimit) => void,
): Promise<void> {
	const read = (name: string) => readFile(`/proc/${child.pid}/${name}`, 'latin1').catch(() => '');
	const [statm, stat] = await Promise.all([read('statm'), read('stat')]);
	if (Number(statm.split(' ')[1] ?? 0) * pageSize > bounds.mostBytes) fail('memory');
	// proc_pid_stat(5): utime and stime are the 12th and 13th field after the name, in ticks of 10 ms.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	if ((Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10 > bounds.workMs) fail('work');
}
