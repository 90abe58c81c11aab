import { setImmediate } from 'node:timers/promises';

/** Milliseconds of processor time that this thread has used since `before` (or its start); other programs do not count. */
export function cpuMs(before = 0): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000 - before;
}

/** The most processor time ({@link cpuMs}) that this thread uses between two turns of the event loop until `work` settles. */
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
