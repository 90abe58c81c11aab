import { queryOptions, useQuery } from '@tanstack/react-query';
import type { UnfinishedUpload, UploadConflict } from '#contract/files/uploads.ts';
import { api, client } from '#web/platform/api.ts';
import { queryClient } from '#web/platform/query-client.ts';
import { type FileHandle, findHandle, keepOnlyHandlesOf } from './file-handles.ts';
import { findHeldUploads } from './upload-locks.ts';

const shownAtMost = 200;

/** Uploads of this person that no open tab has in hand: what a closed tab or another browser left. */
const unfinishedQuery = queryOptions({
	queryKey: [...api.uploads.key(), 'unfinished'],
	queryFn: async (): Promise<UnfinishedUpload[]> => {
		const { items, nextCursor } = await client.uploads.list({ limit: shownAtMost });
		const held = await findHeldUploads();
		if (nextCursor === null) void keepOnlyHandlesOf(new Set([...held, ...items.map(({ id }) => id)]));
		return items.filter(({ id, isReceiving }) => !isReceiving && !held.has(id));
	},
	staleTime: 60_000,
});

/** The unfinished uploads to be offered. */
export function useUnfinished(): readonly UnfinishedUpload[] {
	return useQuery(unfinishedQuery).data ?? [];
}

/** The way back to the file of one, null where its file has to be chosen again. */
export function useWayBack(uploadId: string): FileHandle | null {
	const query = { queryKey: ['upload-way-back', uploadId], queryFn: () => findHandle(uploadId) };
	return useQuery({ ...query, gcTime: 0, networkMode: 'always' }).data ?? null;
}

/** They are asked for again. */
export function refreshUnfinished(): void {
	void queryClient.invalidateQueries({ queryKey: unfinishedQuery.queryKey });
}

/** The upload that was begun with this very file and wish for this very place; without an answer, none. */
export async function findBegun(
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
