/** What stands on the screen: folder cards in `columns`, then file rows. */
export interface FileLayout {
	folders: number;
	files: number;
	columns: number;
}

/**
 * Where the cursor goes by a key, over folders first and files after them; undefined for a key that does not move it.
 * Among cards it moves in two dimensions; from the last row of cards it falls to the first file.
 */
export function moveCursor(at: number, key: string, { folders, files, columns }: FileLayout): number | undefined {
	const last = folders + files - 1;
	if (last < 0) return undefined;
	const clamp = (index: number) => Math.min(Math.max(index, 0), last);
	const isCard = at < folders;
	switch (key) {
		case 'ArrowRight':
			return isCard ? Math.min(at + 1, folders - 1) : undefined;
		case 'ArrowLeft':
			return isCard ? Math.max(at - 1, 0) : undefined;
		case 'ArrowDown':
			if (!isCard) return clamp(at + 1);
			if (at + columns < folders) return at + columns;
			return isInLastRow(at, folders, columns) ? clamp(files > 0 ? folders : at) : folders - 1;
		case 'ArrowUp':
			if (isCard) return at - columns >= 0 ? at - columns : at;
			return clamp(at - 1);
		case 'Home':
			return 0;
		case 'End':
			return last;
		default:
			return undefined;
	}
}

function isInLastRow(index: number, folders: number, columns: number): boolean {
	return Math.floor(index / columns) === Math.floor((folders - 1) / columns);
}
