import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const checkIntervalMs = 200;
const pageSize = 4096;

/** What a process may take: of the processor, of the clock, of memory altogether. */
export interface ProcessLimits {
	workMs: number;
	longestMs: number;
	mostBytes: number;
}

/** Which bound was passed. `waits`: it was hardly let work, by other work or by a slow disk. */
export type ExceededLimit = 'waits' | 'memory' | 'work';

/** Calls `fail` when a process takes more than it may. @returns a function that ends the watching */
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

/** The script of a process: beside this file as source; as built, in the folder of the server's bundle or the one above its chunks. */
export function processScriptPath(name: string): string {
	const here = import.meta.dirname;
	const candidates = [join(here, `${name}.ts`), join(here, `${name}.js`)];
	return candidates.find((path) => existsSync(path)) ?? join(here, '..', `${name}.js`);
}

/** Where the system tells what a process takes (Linux); elsewhere the heap's limit and the clock must do. */
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
