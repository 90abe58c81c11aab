import { createEmitter, createSharedValue } from './emitter.ts';

/** In ms. A shorter loss of the connection is not reported. */
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

/** Calls `listener` when the server is reachable again. Returns a function that unsubscribes. */
export const onReconnected = reconnected.subscribe;

export const useIsConnectionLost = lost.useValue;
