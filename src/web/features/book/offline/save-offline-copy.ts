import type { ShelfEdition } from '#contract/book/shelf.ts';
import { chunkRange, chunkSizeBytes, countChunks } from '#web/platform/offline/offline-chunks.ts';
import {
	addEdition,
	completeEdition,
	deleteEdition,
	hasCachedData,
	listChunks,
	saveChunk,
	saveResponse,
} from '#web/platform/offline/offline-store.ts';
import { isStorageUnavailable } from '#web/platform/offline/precache-progress.ts';
import {
	OfflineCopyError,
	type OfflineCopyFailure,
	registerServiceWorker,
	unregisterServiceWorker,
} from '#web/platform/offline/service-worker-registration.ts';
import { fetchRange, PdfRangeError } from '#web/ui/pdf/document/range-requests.ts';

const estimatedAppShellBytes = 12 * 1024 * 1024;

/**
 * Saves the app and an edition for offline reading, or continues an earlier attempt.
 * @param onProgress called with the downloaded share, 0 to 1
 * @returns the reason of a failure, or null
 */
export async function saveOfflineCopy(
	userId: string,
	{ key, version, url, size }: ShelfEdition,
	onProgress: (share: number) => void,
	signal: AbortSignal,
): Promise<OfflineCopyFailure | null> {
	const edition = { key, version, url, sizeBytes: size };
	try {
		const storedBytes = (await listChunks(userId, edition)).size * chunkSizeBytes;
		await ensureSpace(Math.max(0, size - storedBytes) + ((await hasCachedData()) ? 0 : estimatedAppShellBytes));
		await addEdition(userId, edition);
		await registerServiceWorker();
		await fetchChunks(userId, edition, onProgress, signal);
		const calls = ['/api/me', '/api/shelf', '/api/outline-pairs', `/api/reading/${key}`];
		for (const path of calls) await saveApiResponse(userId, path);
		return (await completeEdition(userId, edition)) ? null : 'over';
	} catch (error) {
		const reason = reasonOf(error, signal);
		// After a network error the incomplete copy is kept. After a cancellation the caller decides.
		if (reason === 'room' || reason === 'denied') await deleteOfflineCopy(key);
		return reason;
	}
}

/** Unregisters the service worker too if no other edition is stored. */
export async function deleteOfflineCopy(key: string): Promise<void> {
	if ((await deleteEdition(key)) === null) await unregisterServiceWorker();
}

async function fetchChunks(
	userId: string,
	edition: Parameters<typeof saveChunk>[1] & { sizeBytes: number },
	onProgress: (share: number) => void,
	signal: AbortSignal,
): Promise<void> {
	const count = countChunks(edition.sizeBytes);
	const storedChunks = await listChunks(userId, edition);
	let done = storedChunks.size;
	for (let index = 0; index < count; index++) {
		onProgress(done / count);
		const range = chunkRange(index, edition.sizeBytes);
		if (storedChunks.has(index) || range === undefined) continue;
		const bytes = await fetchRange(edition.url, range.start, range.end + 1, signal);
		if (!(await saveChunk(userId, edition, index, new Blob([Uint8Array.from(bytes)]))))
			throw new OfflineCopyError('over');
		done += 1;
	}
	onProgress(1);
}

async function saveApiResponse(userId: string, path: string): Promise<void> {
	const response = await fetch(path, { headers: { accept: 'application/json' }, cache: 'no-store' });
	if (!response.ok) throw new OfflineCopyError(response.status >= 500 ? 'line' : 'denied');
	await saveResponse(userId, path, response);
}

/** @throws {OfflineCopyError} if the browser reports too little free space */
async function ensureSpace(bytes: number): Promise<void> {
	const { storage } = navigator;
	// Older browsers have no estimate. Saving then fails when the storage is full.
	const { quota, usage = 0 } = 'estimate' in storage ? await storage.estimate() : {};
	if (quota !== undefined && quota - usage < bytes) throw new OfflineCopyError('room');
	// If the browser refuses, the copy is saved all the same. The browser may then delete it when the device is full.
	if ('persist' in storage) await storage.persist().catch(() => false);
}

function reasonOf(error: unknown, signal: AbortSignal): OfflineCopyFailure {
	if (signal.aborted) return 'over';
	if (error instanceof OfflineCopyError) return error.reason;
	if (error instanceof PdfRangeError) return error.reason === 'denied' ? 'denied' : 'line';
	return isStorageUnavailable(error) ? 'room' : 'line';
}
