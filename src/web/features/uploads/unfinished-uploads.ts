import { queryOptions, useQuery } from '@tanstack/react-query';
import type { UnfinishedUpload, UploadConflict } from '#contract/uploads/uploads.ts';
import { api, client } from '#web/platform/api/client.ts';
import { queryClient } from '#web/platform/api/query-client.ts';
import { deleteHandlesExcept, type FileHandle, findStoredHandle } from './stored-file-handles.ts';

const maxShown = 200;

/** Uploads of this person that no open tab has in hand: what a closed tab or another browser left. */
const unfinishedQuery = queryOptions({
	queryKey: [...api.uploads.key(), 'unfinished'],
	queryFn: async (): Promise<UnfinishedUpload[]> => {
		const { items, nextCursor } = await client.uploads.list({ limit: maxShown });
		const held = await findLockedUploads();
		if (nextCursor === null) void deleteHandlesExcept(new Set([...held, ...items.map(({ id }) => id)]));
		return items.filter(({ id, isReceiving }) => !isReceiving && !held.has(id));
	},
	staleTime: 60_000,
});

/** The unfinished uploads to be offered. */
export function useUnfinishedUploads(): readonly UnfinishedUpload[] {
	return useQuery(unfinishedQuery).data ?? [];
}

/** The way back to the file of one, null where its file has to be chosen again. */
export function useStoredHandle(uploadId: string): FileHandle | null {
	const query = { queryKey: ['upload-way-back', uploadId], queryFn: () => findStoredHandle(uploadId) };
	return useQuery({ ...query, gcTime: 0, networkMode: 'always' }).data ?? null;
}

/** They are asked for again. */
export function invalidateUnfinishedUploads(): void {
	void queryClient.invalidateQueries({ queryKey: unfinishedQuery.queryKey });
}

/** The upload that was begun with this very file and wish for this very place; without an answer, none. */
export async function findResumableUploadId(
	file: File,
	owner: string,
	path: string,
	conflict: UploadConflict,
	isTaken: (id: string) => boolean,
): Promise<string | undefined> {
	const all = await queryClient.ensureQueryData(unfinishedQuery).catch(() => []);
	return all.find(
		(upload) =>
			upload.owner.toLowerCase() === owner.toLowerCase() &&
			upload.path === path &&
			upload.conflict === conflict &&
			isSameFile(upload, file) &&
			!isTaken(upload.id),
	)?.id;
}

/** Whether a file is the one that was begun: its name, its size, and when it was last changed. */
export function isSameFile(upload: Pick<UnfinishedUpload, 'name' | 'sizeBytes' | 'modifiedMs'>, file: File): boolean {
	return (
		upload.name === file.name.trim().normalize('NFC') &&
		upload.sizeBytes === file.size &&
		(upload.modifiedMs === null || upload.modifiedMs === file.lastModified)
	);
}

const prefix = 'folio-upload ';

/**
 * Tells the other tabs of this browser that this one has an upload in hand, until the returned function is called or
 * the tab is gone. Without Web Locks (plain http on a foreign host) nobody is told.
 */
export function lockUpload(id: string): () => void {
	let release = () => {};
	const lock = new Promise<void>((resolve) => {
		release = resolve;
	});
	if ('locks' in navigator) void navigator.locks.request(prefix + id, { ifAvailable: true }, () => lock);
	return release;
}

/** The uploads that some tab of this browser has in hand. */
export async function findLockedUploads(): Promise<Set<string>> {
	if (!('locks' in navigator)) return new Set();
	const { held = [] } = await navigator.locks.query();
	return new Set(held.flatMap(({ name = '' }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])));
}
