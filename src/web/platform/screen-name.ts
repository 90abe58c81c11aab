import { useEffect, useSyncExternalStore } from 'react';

const shown: { name: string | undefined } = { name: undefined };
const hearers = new Set<() => void>();

function show(name: string | undefined): void {
	shown.name = name;
	for (const hearer of hearers) hearer();
}

/** Names the screen in the window's title by what it shows, as long as it stands; without a name by its heading. */
export function useScreenName(name: string | undefined): void {
	useEffect(() => {
		show(name);
		return () => show(undefined);
	}, [name]);
}

/** What the screen has named itself; undefined for one that its heading names. */
export function useShownName(): string | undefined {
	return useSyncExternalStore(subscribe, () => shown.name);
}

function subscribe(hearer: () => void): () => void {
	hearers.add(hearer);
	return () => hearers.delete(hearer);
}
