import type { ListingRows } from './listing-rows.ts';

/** How many entries a listing has, those not loaded yet among them. */
export interface NodeCounts {
	folders: number;
	files: number;
	loadedFolders: number;
	loadedFiles: number;
	/** Whether the numbers are the whole truth: of what a search or filter finds, only what is loaded is known. */
	isExact: boolean;
}

/** Room for what is on its way where nobody knows how much it is. */
const placeholderRows = 24;

/** Counts by the server's totals, so that the page is as high as it will be; without them, by what is loaded and some more. */
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
