import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { limits } from '#contract/core/limits.ts';
import { api, type CallOutputs, client } from '#web/platform/api/client.ts';
import type { FileListQuery } from './file-list-query.ts';
import { ListingRows } from './list-state/listing-rows.ts';
import { type Listing, useListing } from './list-state/use-listing.ts';

type FolderPage = CallOutputs['files']['list'];

/** The first page is small so that it arrives quickly; later pages have the largest size that a call allows. */
const firstPageSize = 200;

/** A folder of a space with the rows loaded so far. */
export type Folder = Listing<FolderPage>;

/**
 * Reads a folder page by page. While only search, filter or order change, the previous list stays until the new one has
 * loaded.
 */
export function useFolder(owner: string, { path, q, type, sort, order }: FileListQuery): Folder {
	const search = q.trim();
	const input = { owner, path, search: search === '' ? undefined : search, type, sort, order };
	const query = useQuery(
		api.files.list.queryOptions({ input: { ...input, limit: firstPageSize }, structuralSharing: false }),
	);
	return useListing(query, {
		folderKey: `${owner}\n${path}`,
		listKey: JSON.stringify(input),
		createRows: (first) =>
			new ListingRows(first, (range) => client.files.list({ ...input, ...range, limit: limits.pageSizeMax })),
	});
}

/** Returns a function that refetches all file lists. For changes made elsewhere, the event stream does the same. */
export function useInvalidateFiles(): () => void {
	const queryClient = useQueryClient();
	return () => void queryClient.invalidateQueries({ queryKey: api.files.key() });
}

export function useCreateFolder() {
	const onSuccess = useInvalidateFiles();
	return useMutation(api.files.createFolder.mutationOptions({ onSuccess }));
}

export function useRenameNode() {
	const onSuccess = useInvalidateFiles();
	return useMutation(api.files.rename.mutationOptions({ onSuccess }));
}
