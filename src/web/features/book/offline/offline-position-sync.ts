import { useEffect } from 'react';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import {
	type LocalReadingPosition as LocalPlace,
	readLocalPosition,
	storeLocalPosition,
} from '#web/platform/browser/local-reading-position.ts';
import { canStoreOffline } from '#web/platform/offline/offline-editions.ts';
import { isOfflineSupported, readOfflineData } from '#web/platform/offline/offline-store.ts';
import { useMe } from '#web/platform/session/session.ts';
import { savePosition } from '../reader/reading-api.ts';
import type { useShelf } from '../shelf/shelf-api.ts';

/** Sends the positions in offline editions that were reached without a connection. */
export function useOfflinePositionSync({ data, dataUpdatedAt }: ReturnType<typeof useShelf>): void {
	const me = useMe();
	const editions = data?.editions;
	// biome-ignore lint/correctness/useExhaustiveDependencies: each answer, though it says the same, tells that there is a line.
	useEffect(() => {
		if (editions === undefined || !isOfflineSupported() || !canStoreOffline(me)) return;
		void sendLaterPositions(me.id, editions).catch(console.error);
	}, [editions, dataUpdatedAt, me]);
}

async function sendLaterPositions(userId: string, editions: readonly ShelfEdition[]): Promise<void> {
	const offlineData = await readOfflineData();
	if (offlineData?.userId !== userId) return;
	for (const { key, place } of editions) {
		const local = readLocalPosition(window.localStorage, userId, key);
		const isStored = offlineData.editions.some((each) => each.key === key);
		if (!isStored || local === undefined || !isLater(local, place)) continue;
		const { page, pageCount, offset, chapter, at } = local;
		const now = await savePosition(key, { page, pageCount, offset, chapter, readAt: new Date(at).toISOString() });
		// The server stores a time ahead of its clock as now; storing its time locally avoids sending again.
		if (now === null || Date.parse(now.readAt) >= at) continue;
		storeLocalPosition(window.localStorage, userId, key, { ...local, at: Date.parse(now.readAt) });
	}
}

/** Whether this browser's position is later than the server's; a position without a known time is not. */
export function isLater(local: LocalPlace, saved: ShelfEdition['place']): boolean {
	return local.at > (saved === null ? 0 : Date.parse(saved.readAt));
}
