import { useSyncExternalStore } from 'react';

/** In milliseconds: a connection that is back within this time is not reported as lost. */
const graceMs = 1500;

let isLost = false;
let timer: number | undefined;
const listeners = new Set<() => void>();
const reconnectedListeners = new Set<() => void>();

function setLost(next: boolean): void {
	window.clearTimeout(timer);
	timer = undefined;
	if (isLost === next) return;
	isLost = next;
	for (const listener of listeners) listener();
	if (!isLost) for (const listener of reconnectedListeners) listener();
}

/** Records whether the event stream is connected or is being reconnected. */
export function reportConnection(isUp: boolean): void {
	if (isUp) setLost(false);
	else if (!isLost) timer ??= window.setTimeout(() => setLost(true), graceMs);
}

/**
 * Calls `listener` when the server can be reached again.
 * @returns a function that unsubscribes
 */
export function onReconnected(listener: () => void): () => void {
	reconnectedListeners.add(listener);
	return () => reconnectedListeners.delete(listener);
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** Whether the server has been unreachable for longer than the grace period. */
export function useIsConnectionLost(): boolean {
	return useSyncExternalStore(subscribe, () => isLost);
}
