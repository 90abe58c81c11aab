import { useEffect, useSyncExternalStore } from 'react';

const shown: { name: string | undefined } = { name: undefined };
const listeners = new Set<() => void>();

function show(name: string | undefined): void {
	shown.name = name;
	for (const listener of listeners) listener();
}

/** Sets the window's title while the component is mounted; undefined: the screen's heading is used. */
export function useScreenTitle(name: string | undefined): void {
	useEffect(() => {
		show(name);
		return () => show(undefined);
	}, [name]);
}

/** Returns the title that the screen has set; undefined if its heading is used. */
export function useCurrentScreenTitle(): string | undefined {
	return useSyncExternalStore(subscribe, () => shown.name);
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}
