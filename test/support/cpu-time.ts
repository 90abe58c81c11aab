import { setImmediate } from 'node:timers/promises';

/** Milliseconds for which this thread has computed since `before`, or ever: what other programs take meanwhile does not count. */
export function cpuMs(before = 0): number {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1000 - before;
}

/** The most that this thread computes between two turns of the event loop while a work goes on, in ms of {@link cpuMs}. */
export async function longestTurnOf<T>(work: Promise<T>): Promise<{ result: T; longestMs: number }> {
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
