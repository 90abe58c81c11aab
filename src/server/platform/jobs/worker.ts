import { yieldToEventLoop } from '../event-loop.ts';
import type { Log } from '../log.ts';

/** A loop that works while there is something to do, then sleeps until woken or the next look. */
export interface Worker {
	wake(): void;
	/** Lets the step under way end. */
	stop(): Promise<void>;
}

/** Calls `step` until it answers false; looks again every `idleMs`, or at once when woken. Others have a turn between. */
export function startWorker(name: string, log: Log, idleMs: number, step: () => Promise<boolean>): Worker {
	let isStopped = false;
	let wakeUp: () => void = () => {};
	let isWoken = false;

	async function run(): Promise<void> {
		while (!isStopped) {
			isWoken = false;
			const didWork = await step().catch((error: unknown) => {
				log.error({ err: error, worker: name }, 'worker step failed');
				return false;
			});
			if (didWork || isWoken || isStopped) await yieldToEventLoop();
			else await pause();
		}
	}

	function pause(): Promise<void> {
		return new Promise((resolve) => {
			const timer = setTimeout(resolve, idleMs);
			wakeUp = () => {
				clearTimeout(timer);
				resolve();
			};
		});
	}

	const done = run();
	return {
		wake() {
			isWoken = true;
			wakeUp();
		},
		async stop() {
			isStopped = true;
			wakeUp();
			await done;
		},
	};
}
