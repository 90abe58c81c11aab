import { setTimeout } from 'node:timers/promises';
import { yieldToEventLoop } from '../event-loop.ts';
import type { Log } from '../log.ts';

export interface Worker {
	wake(): void;
	/** Stops after the current step. */
	stop(): Promise<void>;
}

/** Calls `step` until it returns false, and again after `idleMs` or when woken. */
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
			if (didWork || isWoken || isStopped) {
				await yieldToEventLoop();
			} else {
				const pause = new AbortController();
				wakeUp = () => pause.abort();
				await setTimeout(idleMs, undefined, { signal: pause.signal }).catch(() => {});
			}
		}
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
