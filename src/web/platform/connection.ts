import { useSyncExternalStore } from 'react';

/** A line that is back within this time was never missed. */
const patienceMs = 1500;

let isLost = false;
let timer: number | undefined;
const listeners = new Set<() => void>();
const backListeners = new Set<() => void>();

function set(next: boolean): void {
	window.clearTimeout(timer);
	timer = undefined;
	if (isLost === next) return;
	isLost = next;
	for (const listener of listeners) listener();
	if (!isLost) for (const listener of backListeners) listener();
}

/** The event line is up, or is being tried again. */
export function reportLine(isUp: boolean): void {
	if (isUp) set(false);
	else if (!isLost) timer ??= window.setTimeout(() => set(true), patienceMs);
}

/** Calls back when the server is in reach again after it was missed. @returns how to stop */
export function onLineBack(listener: () => void): () => void {
	backListeners.add(listener);
	return () => backListeners.delete(listener);
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** Whether the server has been out of reach for more than a moment. */
export function useIsConnectionLost(): boolean {
	return useSyncExternalStore(subscribe, () => isLost);
}
