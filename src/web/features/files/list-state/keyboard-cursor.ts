/** The visible layout: folder cards in `columns`, then files in `fileColumns` (1 in a list). */
interface ListLayout {
	folders: number;
	files: number;
	columns: number;
	fileColumns?: number;
}

/**
 * Returns the index that a key moves the cursor to, with folders before files; undefined for a key that does not move
 * it. Among cards the cursor moves in two dimensions; from the last row of folders it moves to the files.
 */
export function moveCursor(index: number, key: string, layout: ListLayout): number | undefined {
	const { folders, files, columns, fileColumns = 1 } = layout;
	const last = folders + files - 1;
	if (last < 0) return undefined;
	const isFolder = index < folders;
	const block = isFolder
		? { start: 0, count: folders, columns, isList: false }
		: { start: folders, count: files, columns: fileColumns, isList: fileColumns === 1 };
	const offset = index - block.start;
	switch (key) {
		case 'ArrowRight':
			return block.isList ? undefined : block.start + Math.min(offset + 1, block.count - 1);
		case 'ArrowLeft':
			return block.isList ? undefined : block.start + Math.max(offset - 1, 0);
		case 'ArrowDown':
			if (offset + block.columns < block.count) return index + block.columns;
			if (!isInLastRow(offset, block)) return block.start + block.count - 1;
			return isFolder && files > 0 ? folders : index;
		case 'ArrowUp':
			if (offset - block.columns >= 0) return index - block.columns;
			return isFolder || folders === 0 ? index : folders - 1;
		case 'Home':
			return 0;
		case 'End':
			return last;
		default:
			return undefined;
	}
}

function isInLastRow(offset: number, { count, columns }: { count: number; columns: number }): boolean {
	return Math.floor(offset / columns) === Math.floor((count - 1) / columns);
}
