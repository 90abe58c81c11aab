import { createEmitter, createSharedValue } from './emitter.ts';

/** In milliseconds: a connection that is back within this time is not reported as lost. */
const graceMs = 1500;

const lost = createSharedValue(false);
const reconnected = createEmitter();
let timer: number | undefined;

export function reportConnection(isUp: boolean): void {
	if (!isUp) {
		if (!lost.get()) timer ??= window.setTimeout(() => lost.set(true), graceMs);
		return;
	}
	window.clearTimeout(timer);
	timer = undefined;
	if (!lost.get()) return;
	lost.set(false);
	reconnected.emit();
}

/** Calls `listener` when the server can be reached again. Returns a function that unsubscribes. */
export const onReconnected = reconnected.subscribe;

/** Whether the server has been unreachable for longer than the grace period. */
export const useIsConnectionLost = lost.useValue;
