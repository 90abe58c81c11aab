import { setImmediate } from 'node:timers/promises';

/** Returns the CPU time in ms that this thread has used since `before`, or since its start. */
export function cpuMs(before = 0): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000 - before;
}

/** Waits for `work` and returns its result and the longest CPU time of one turn of the event loop until then. */
export async function longestEventLoopBlock<T>(work: Promise<T>): Promise<{ result: T; longestMs: number }> {
	let isSettled = false;
	const settled = work.finally(() => {
		isSettled = true;
	});
	let longestMs = 0;
	for (let last = cpuMs(); !isSettled; last = cpuMs()) {
		await setImmediate();
		longestMs = Math.max(longestMs, cpuMs(last));
	}
	return { result: await settled, longestMs };
}
