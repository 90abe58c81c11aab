import { useSyncExternalStore } from 'react';

/** A line that is back within this time was never missed. */
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

/** The event line is up, or is being tried again. */
export function reportConnection(isUp: boolean): void {
	if (isUp) setLost(false);
	else if (!isLost) timer ??= window.setTimeout(() => setLost(true), graceMs);
}

/** Calls back when the server is in reach again after it was missed. @returns how to stop */
export function onReconnected(listener: () => void): () => void {
	reconnectedListeners.add(listener);
	return () => reconnectedListeners.delete(listener);
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** Whether the server has been out of reach for more than a moment. */
export function useIsConnectionLost(): boolean {
	return useSyncExternalStore(subscribe, () => isLost);
}
