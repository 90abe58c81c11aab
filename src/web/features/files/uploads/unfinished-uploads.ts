import { queryOptions, useQuery } from '@tanstack/react-query';
import type { UnfinishedUpload, UploadConflict } from '#contract/files/uploads.ts';
import { api, client } from '#web/platform/api/client.ts';
import { queryClient } from '#web/platform/api/query-client.ts';
import { deleteHandlesExcept, type FileHandle, findStoredHandle } from './stored-file-handles.ts';

const maxShown = 200;

/** The user's unfinished uploads, for example of closed tabs. Excludes uploads that are running anywhere. */
const unfinishedQuery = queryOptions({
	queryKey: [...api.uploads.key(), 'unfinished'],
	queryFn: async (): Promise<UnfinishedUpload[]> => {
		const { items, nextCursor } = await client.uploads.list({ limit: maxShown });
		const lockedIds = await findLockedUploads();
		if (nextCursor === null) void deleteHandlesExcept(new Set([...lockedIds, ...items.map(({ id }) => id)]));
		return items.filter(({ id, isReceiving }) => !isReceiving && !lockedIds.has(id));
	},
	staleTime: 60_000,
});

export function useUnfinishedUploads(): readonly UnfinishedUpload[] {
	return useQuery(unfinishedQuery).data ?? [];
}

/** Returns the stored handle of an upload's file. Without a handle (null) the user must choose the file again. */
export function useStoredHandle(uploadId: string): FileHandle | null {
	const query = { queryKey: ['upload-way-back', uploadId], queryFn: () => findStoredHandle(uploadId) };
	return useQuery({ ...query, gcTime: 0, networkMode: 'always' }).data ?? null;
}

export function invalidateUnfinishedUploads(): void {
	void queryClient.invalidateQueries({ queryKey: unfinishedQuery.queryKey });
}

/** Finds an unfinished upload of the same file, folder and conflict choice. Finds none if the request fails. */
export async function findResumableUploadId(
	file: File,
	owner: string,
	path: string,
	conflict: UploadConflict,
	isTaken: (id: string) => boolean,
): Promise<string | undefined> {
	const unfinished = await queryClient.ensureQueryData(unfinishedQuery).catch(() => []);
	return unfinished.find(
		(upload) =>
			upload.owner.toLowerCase() === owner.toLowerCase() &&
			upload.path === path &&
			upload.conflict === conflict &&
			isSameFile(upload, file) &&
			!isTaken(upload.id),
	)?.id;
}

/** Compares name, size and, if known, modification time. */
export function isSameFile(upload: Pick<UnfinishedUpload, 'name' | 'sizeBytes' | 'modifiedMs'>, file: File): boolean {
	return (
		upload.name === file.name.trim().normalize('NFC') &&
		upload.sizeBytes === file.size &&
		(upload.modifiedMs === null || upload.modifiedMs === file.lastModified)
	);
}

const prefix = 'folio-upload ';

/**
 * Marks an upload as running in this tab until the returned function is called or the tab is closed. Without Web Locks
 * (plain http on a host other than localhost), other tabs may list the upload as unfinished.
 */
export function lockUpload(id: string): () => void {
	let release = () => {};
	const lock = new Promise<void>((resolve) => {
		release = resolve;
	});
	if ('locks' in navigator) void navigator.locks.request(prefix + id, { ifAvailable: true }, () => lock);
	return release;
}

async function findLockedUploads(): Promise<Set<string>> {
	if (!('locks' in navigator)) return new Set();
	const { held = [] } = await navigator.locks.query();
	return new Set(held.flatMap(({ name = '' }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])));
}
