import { useEffect } from 'react';
import type { ShelfEdition } from '#contract/book/shelf.ts';
import { m } from '#messages';
import { sendLaterPosition } from '#web/platform/browser/reading-position.ts';
import { toastError } from '#web/platform/browser/toasts.ts';
import { createSharedValue } from '#web/platform/events/emitter.ts';
import { canStoreOffline, type OfflineData, type OfflineEdition } from '#web/platform/offline/offline-editions.ts';
import { isOfflineSupported, onOfflineDataChange, readOfflineData } from '#web/platform/offline/offline-store.ts';
import type { OfflineCopyFailure } from '#web/platform/offline/service-worker-registration.ts';
import { useMe } from '#web/platform/session/session.ts';
import type { useShelf } from '../shelf/shelf-api.ts';
import { deleteOfflineCopy, saveOfflineCopy } from './save-offline-copy.ts';

const stored = createSharedValue<OfflineData | null>(null);
/** Downloaded share, 0 to 1, by edition key. */
const progress = createSharedValue<ReadonlyMap<string, number>>(new Map());
const running = new Map<string, AbortController>();
let isStarted = false;

function setProgress(key: string, share: number | null): void {
	const shares = new Map(progress.get());
	if (share === null) shares.delete(key);
	else shares.set(key, share);
	progress.set(shares);
}

async function refresh(): Promise<void> {
	const offlineData = await readOfflineData().catch(() => null);
	// Stops downloading editions that were removed in another tab.
	for (const [key, abort] of running)
		if (
			progress.get().has(key) &&
			stored.get() !== null &&
			!offlineData?.editions.some((edition) => edition.key === key)
		)
			abort.abort();
	stored.set(offlineData);
}

function start(): void {
	if (isStarted || !isOfflineSupported()) return;
	isStarted = true;
	onOfflineDataChange(() => void refresh());
	void refresh();
}

/** `share`: downloaded share while the edition is downloading. Returns null if offline copies are not available. */
export function useOfflineCopy({ key }: Pick<ShelfEdition, 'key'>) {
	const me = useMe();
	const offlineData = stored.useValue();
	const share = progress.useValue().get(key);
	useEffect(start, []);
	if (!isOfflineSupported() || !canStoreOffline(me) || import.meta.env.DEV) return null;
	const edition: OfflineEdition | undefined =
		offlineData?.userId === me.id ? offlineData.editions.find((copy) => copy.key === key) : undefined;
	return { edition, share };
}

/** Starts or resumes the download of an edition. @returns the reason of a failure, or null */
export async function startOfflineCopy(userId: string, edition: ShelfEdition): Promise<OfflineCopyFailure | null> {
	const { key } = edition;
	if (running.has(key)) return null;
	const abort = new AbortController();
	running.set(key, abort);
	// An edition is downloaded by one tab at a time.
	return navigator.locks
		.request(`folio-keep-${key}`, { ifAvailable: true }, async (lock) => {
			if (lock === null) return null;
			setProgress(key, 0);
			return saveOfflineCopy(userId, edition, (share) => setProgress(key, share), abort.signal);
		})
		.finally(async () => {
			running.delete(key);
			await refresh();
			setProgress(key, null);
		});
}

export async function removeOfflineCopy(key: string): Promise<void> {
	running.get(key)?.abort();
	await deleteOfflineCopy(key);
}

const failureLabels: Record<Exclude<OfflineCopyFailure, 'over'>, () => string> = {
	room: m.reader_offline_no_space,
	line: m.reader_offline_no_connection,
	denied: m.reader_offline_denied,
};

export function showOfflineCopyFailure(failure: OfflineCopyFailure | null): void {
	if (failure !== null && failure !== 'over') toastError(failureLabels[failure]());
}

/** Shows no message for a network error, because the download is resumed later. */
async function resumeOfflineCopy(userId: string, edition: ShelfEdition): Promise<void> {
	const failure = await startOfflineCopy(userId, edition);
	if (failure !== 'line') showOfflineCopyFailure(failure);
}

/**
 * When the server is reachable, resumes downloads, replaces outdated copies, and sends reading positions that were
 * recorded offline.
 */
export function useOfflineSync({ data, dataUpdatedAt }: ReturnType<typeof useShelf>): void {
	const me = useMe();
	const editions = data?.editions;
	// biome-ignore lint/correctness/useExhaustiveDependencies: each response, even an unchanged one, shows that the server is reachable.
	useEffect(() => {
		if (editions === undefined || !isOfflineSupported() || !canStoreOffline(me)) return;
		void sync(editions).catch(console.error);

		async function sync(shelf: readonly ShelfEdition[]): Promise<void> {
			const offlineData = await readOfflineData();
			if (offlineData?.userId !== me.id) return;
			for (const edition of shelf) {
				const copy = offlineData.editions.find(({ key }) => key === edition.key);
				if (copy === undefined) continue;
				void sendLaterPosition(me.id, edition.key, edition.place).catch(console.error);
				if (!copy.isWhole && edition.copy.state === 'ready' && edition.version !== null)
					void resumeOfflineCopy(me.id, edition).catch(console.error);
			}
		}
	}, [editions, dataUpdatedAt, me]);
}
