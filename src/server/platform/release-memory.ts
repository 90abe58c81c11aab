import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const idleMs = 1500;
const idleUtilization = 0.1;

/**
 * Returns to the system the memory that only the start needed. V8 lets the space of new objects grow while the program
 * is loaded, and collects it only when more objects are created. Measured when idle: 89 MB instead of 107. Waits until
 * the process has been idle for 1.5 s, because the collection takes some 50 ms and discards compiled code.
 *
 * Not with `--expose-gc` from the start: Node's own compiled code fits only its own flags, which costs 18 ms of a start.
 */
export async function releaseMemoryOfStart(): Promise<void> {
	let utilization: number;
	do {
		const before = performance.eventLoopUtilization();
		await sleep(idleMs, null, { ref: false });
		({ utilization } = performance.eventLoopUtilization(before));
	} while (utilization > idleUtilization);
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as NodeJS.GCFunction;
	setFlagsFromString('--no-expose-gc');
	collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
