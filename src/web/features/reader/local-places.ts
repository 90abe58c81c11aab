import { useEffect } from 'react';
import type { ShelfEdition } from '#contract/reader/reader.ts';
import { mayKeep } from '#web/platform/kept/kept-shape.ts';
import { canKeepHere, readKept } from '#web/platform/kept/kept-store.ts';
import { type ReadingPlace as LocalPlace, recallPlace, rememberPlace } from '#web/platform/reading-place.ts';
import { useMe } from '#web/platform/session.ts';
import type { useShelf } from './reader.api.ts';
import { savePlace } from './reading.api.ts';

/** Tells the server where somebody has come to in a kept edition while there was no line. */
export function useLocalPlaces({ data, dataUpdatedAt }: ReturnType<typeof useShelf>): void {
	const me = useMe();
	const editions = data?.editions;
	// biome-ignore lint/correctness/useExhaustiveDependencies: each answer, though it says the same, tells that there is a line.
	useEffect(() => {
		if (editions === undefined || !canKeepHere() || !mayKeep(me)) return;
		void sendLaterPlaces(me.id, editions).catch(console.error);
	}, [editions, dataUpdatedAt, me]);
}

async function sendLaterPlaces(personId: string, editions: readonly ShelfEdition[]): Promise<void> {
	const kept = await readKept();
	if (kept?.personId !== personId) return;
	for (const { key, place } of editions) {
		const local = recallPlace(window.localStorage, personId, key);
		const isKept = kept.editions.some((each) => each.key === key);
		if (!isKept || local === undefined || !isLater(local, place)) continue;
		const { page, pageCount, offset, chapter, at } = local;
		const now = await savePlace(key, { page, pageCount, offset, chapter, readAt: new Date(at).toISOString() });
		// The server counts what is ahead of its clock as now: once is enough.
		if (now === null || Date.parse(now.readAt) >= at) continue;
		rememberPlace(window.localStorage, personId, key, { ...local, at: Date.parse(now.readAt) });
	}
}

/** Whether the server should hear of this browser's place: only of one whose time is known. */
export function isLater(local: LocalPlace, kept: ShelfEdition['place']): boolean {
	return local.at > (kept === null ? 0 : Date.parse(kept.readAt));
}
