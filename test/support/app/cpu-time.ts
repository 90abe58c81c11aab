import { setImmediate } from 'node:timers/promises';

/** Returns the CPU time in ms that this thread has used since its start, minus `before`. */
export function cpuMs(before = 0): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000 - before;
}

/** Waits for `work`. @returns its result, the number of event loop turns, and the longest CPU time of one turn */
export async function watchEventLoop<T>(work: Promise<T>): Promise<{ result: T; turns: number; longestMs: number }> {
	let isSettled = false;
	const settled = work.finally(() => {
		isSettled = true;
	});
	let turns = 0;
	let longestMs = 0;
	for (let last = cpuMs(); !isSettled; last = cpuMs()) {
		await setImmediate();
		turns += 1;
		longestMs = Math.max(longestMs, cpuMs(last));
	}
	return { result: await settled, turns, longestMs };
}
