/** What stands on the screen: folder cards in `columns`, then files in theirs (one in a list). */
export interface FileLayout {
	folders: number;
	files: number;
	columns: number;
	fileColumns?: number;
}

/**
 * Where the cursor goes by a key, over folders first and files after them; undefined for a key that does not move it.
 * Among cards it moves in two dimensions; from the last row of folders it falls to the first file.
 */
export function moveCursor(at: number, key: string, layout: FileLayout): number | undefined {
	const { folders, files, columns, fileColumns = 1 } = layout;
	const last = folders + files - 1;
	if (last < 0) return undefined;
	const isFolder = at < folders;
	const block = isFolder
		? { start: 0, count: folders, columns, isList: false }
		: { start: folders, count: files, columns: fileColumns, isList: fileColumns === 1 };
	const within = at - block.start;
	switch (key) {
		case 'ArrowRight':
			return block.isList ? undefined : block.start + Math.min(within + 1, block.count - 1);
		case 'ArrowLeft':
			return block.isList ? undefined : block.start + Math.max(within - 1, 0);
		case 'ArrowDown':
			if (within + block.columns < block.count) return at + block.columns;
			if (!isInLastRow(within, block)) return block.start + block.count - 1;
			return isFolder && files > 0 ? folders : at;
		case 'ArrowUp':
			if (within - block.columns >= 0) return at - block.columns;
			return isFolder || folders === 0 ? at : folders - 1;
		case 'Home':
			return 0;
		case 'End':
			return last;
		default:
			return undefined;
	}
}

function isInLastRow(within: number, { count, columns }: { count: number; columns: number }): boolean {
	return Math.floor(within / columns) === Math.floor((count - 1) / columns);
}
