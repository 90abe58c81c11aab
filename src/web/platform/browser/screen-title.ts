import { useEffect, useSyncExternalStore } from 'react';

const shown: { name: string | undefined } = { name: undefined };
const listeners = new Set<() => void>();

function show(name: string | undefined): void {
	shown.name = name;
	for (const listener of listeners) listener();
}

/** Names the screen in the window's title by what it shows, as long as it stands; without a name by its heading. */
export function useScreenTitle(name: string | undefined): void {
	useEffect(() => {
		show(name);
		return () => show(undefined);
	}, [name]);
}

/** What the screen has named itself; undefined for one that its heading names. */
export function useCurrentScreenTitle(): string | undefined {
	return useSyncExternalStore(subscribe, () => shown.name);
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}
