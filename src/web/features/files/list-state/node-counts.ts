import type { ListingRows } from './listing-rows.ts';

/** Numbers of nodes in a listing, including those not loaded yet. */
export interface NodeCounts {
	folders: number;
	files: number;
	loadedFolders: number;
	loadedFiles: number;
	/** Whether the numbers are final; for a search or filter only the loaded nodes are known. */
	isExact: boolean;
}

/** Number of placeholder rows while the total is unknown. */
const placeholderRows = 24;

/**
 * Counts by the server's totals, so that the page has its final height; without them, adds placeholders to the loaded
 * rows.
 */
export function countNodes(
	{ folders, files, hasMore }: Pick<ListingRows, 'folders' | 'files' | 'hasMore'>,
	totals: { folders: number; files: number } | undefined,
): NodeCounts {
	const loaded = { loadedFolders: folders.length, loadedFiles: files.length };
	if (!hasMore) return { ...loaded, folders: folders.length, files: files.length, isExact: true };
	if (totals !== undefined) {
		return {
			...loaded,
			folders: Math.max(folders.length, totals.folders),
			files: Math.max(files.length, totals.files),
			isExact: true,
		};
	}
	return files.length > 0
		? { ...loaded, folders: folders.length, files: files.length + placeholderRows, isExact: false }
		: { ...loaded, folders: folders.length + placeholderRows, files: 0, isExact: false };
}
