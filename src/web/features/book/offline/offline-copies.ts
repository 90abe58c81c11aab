import { useEffect, useSyncExternalStore } from 'react';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { m } from '#messages';
import { sendLaterPosition } from '#web/platform/browser/reading-position.ts';
import { toastError } from '#web/platform/browser/toasts.ts';
import { canStoreOffline, type OfflineData, type OfflineEdition } from '#web/platform/offline/offline-editions.ts';
import { isOfflineSupported, onOfflineDataChange, readOfflineData } from '#web/platform/offline/offline-store.ts';
import { useMe } from '#web/platform/session/session.ts';
import type { useShelf } from '../shelf/shelf-api.ts';
import { deleteOfflineCopy, OfflineCopyError, type OfflineCopyFailure, saveOfflineCopy } from './save-offline-copy.ts';

interface OfflineCopiesState {
	data: OfflineData | null;
	/** Share downloaded, 0 to 1, by the edition's key. */
	progressByKey: ReadonlyMap<string, number>;
}

let state: OfflineCopiesState = { data: null, progressByKey: new Map() };
const listeners = new Set<() => void>();
const running = new Map<string, AbortController>();
let isSubscribed = false;

function setState(next: Partial<OfflineCopiesState>): void {
	state = { ...state, ...next };
	for (const listener of listeners) listener();
}

function setProgress(key: string, share: number | null): void {
	const arriving = new Map(state.progressByKey);
	if (share === null) arriving.delete(key);
	else arriving.set(key, share);
	setState({ progressByKey: arriving });
}

async function refresh(): Promise<void> {
	const kept = await readOfflineData().catch(() => null);
	// Stops downloading editions that were removed in another tab.
	for (const [key, abort] of running)
		if (state.progressByKey.has(key) && state.data !== null && !kept?.editions.some((each) => each.key === key))
			abort.abort();
	setState({ data: kept });
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	if (!isSubscribed && isOfflineSupported()) {
		isSubscribed = true;
		onOfflineDataChange(() => void refresh());
		void refresh();
	}
	return () => listeners.delete(listener);
}

/** The offline copy of an edition, with `share` while it is downloading. Null where offline copies are unavailable. */
export function useOfflineCopy({ key }: Pick<ShelfEdition, 'key'>) {
	const me = useMe();
	const { data: kept, progressByKey: arriving } = useSyncExternalStore(subscribe, () => state);
	if (!isOfflineSupported() || !canStoreOffline(me) || import.meta.env.DEV) return null;
	const edition: OfflineEdition | undefined =
		kept?.userId === me.id ? kept.editions.find((each) => each.key === key) : undefined;
	return { edition, share: arriving.get(key) };
}

/** Downloads an edition for offline reading, or continues to. @returns why it failed, or null */
export async function startOfflineCopy(userId: string, edition: ShelfEdition): Promise<OfflineCopyFailure | null> {
	const { key } = edition;
	if (running.has(key)) return null;
	const abort = new AbortController();
	running.set(key, abort);
	// Only one tab at a time downloads an edition.
	return navigator.locks
		.request(`folio-keep-${key}`, { ifAvailable: true }, async (lock) => {
			if (lock === null) return null;
			setProgress(key, 0);
			await saveOfflineCopy(userId, edition, (share) => setProgress(key, share), abort.signal);
			return null;
		})
		.catch((error: unknown) => {
			if (error instanceof OfflineCopyError) return error.reason;
			throw error;
		})
		.finally(async () => {
			running.delete(key);
			await refresh();
			setProgress(key, null);
		});
}

/** Removes an edition from this device, or cancels its download. */
export async function removeOfflineCopy(key: string): Promise<void> {
	running.get(key)?.abort();
	await deleteOfflineCopy(key);
}

const failureLabels: Record<Exclude<OfflineCopyFailure, 'over'>, () => string> = {
	room: m.reader_offline_no_space,
	line: m.reader_offline_no_connection,
	denied: m.reader_offline_denied,
};

/** Shows why an edition could not be saved. */
export function showOfflineCopyFailure(failure: OfflineCopyFailure | null): void {
	if (failure !== null && failure !== 'over') toastError(failureLabels[failure]());
}

/** Resumes a download; another network error is not shown, but other failures are. */
async function resumeOfflineCopy(userId: string, edition: ShelfEdition): Promise<void> {
	const failure = await startOfflineCopy(userId, edition);
	if (failure !== 'line') showOfflineCopyFailure(failure);
}

/** When the server is reachable: resumes downloads, replaces outdated copies, sends positions reached offline. */
export function useOfflineSync({ data, dataUpdatedAt }: ReturnType<typeof useShelf>): void {
	const me = useMe();
	const editions = data?.editions;
	// biome-ignore lint/correctness/useExhaustiveDependencies: each answer, though it says the same, tells that there is a line.
	useEffect(() => {
		if (editions === undefined || !isOfflineSupported() || !canStoreOffline(me)) return;
		void sync(editions).catch(console.error);

		async function sync(shelf: readonly ShelfEdition[]): Promise<void> {
			const offlineData = await readOfflineData();
			if (offlineData?.userId !== me.id) return;
			for (const edition of shelf) {
				const stored = offlineData.editions.find(({ key }) => key === edition.key);
				if (stored === undefined) continue;
				void sendLaterPosition(me.id, edition.key, edition.place).catch(console.error);
				if (!stored.isWhole && edition.copy.state === 'ready' && edition.version !== null)
					void resumeOfflineCopy(me.id, edition).catch(console.error);
			}
		}
	}, [editions, dataUpdatedAt, me]);
}
