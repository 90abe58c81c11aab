import { setImmediate } from 'node:timers/promises';

/** Returns the CPU time in ms that this thread has used since `before` (or its start), whatever other programs do. */
export function cpuMs(before = 0): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000 - before;
}

/** Returns the most CPU time ({@link cpuMs}) that one turn of the event loop takes until `work` settles. */
export async function longestEventLoopBlock<T>(work: Promise<T>): Promise<{ result: T; longestMs: number }> {
	let isOver = false;
	const done = work.finally(() => {
		isOver = true;
	});
	let longestMs = 0;
	for (let last = cpuMs(); !isOver; last = cpuMs()) {
		await setImmediate();
		longestMs = Math.max(longestMs, cpuMs(last));
	}
	return { result: await done, longestMs };
}
