import { useEffect, useState } from 'react';
import { m } from '#messages';
import { toastError, toastMs } from '#web/platform/browser/toasts.ts';
import { type PickedFiles, readDroppedFiles, readPastedFiles } from './picked-files.ts';

interface DropTarget {
	/** Null for the open folder. */
	path: string | null;
	name: string;
}

/**
 * Accepts files and folders that are dropped on the page, or pasted, while `onFiles` is defined. Elements with
 * `data-drop-path` and `data-drop-name` are drop targets for their folder.
 * @returns the current drop target; null while no files are dragged over the page
 */
export function useFileDrop(
	onFiles: ((picked: PickedFiles, path: string | null) => void) | undefined,
): DropTarget | null {
	const [target, setTarget] = useState<DropTarget | null>(null);
	useEffect(() => {
		if (onFiles === undefined) return;
		// Entering a child also fires `dragleave` on its parent, so both events are counted.
		let depth = 0;
		const enter = (event: DragEvent) => {
			if (!hasFiles(event)) return;
			depth += 1;
			setTarget(dropTargetOf(event));
		};
		const leave = (event: DragEvent) => {
			if (!hasFiles(event)) return;
			depth = Math.max(0, depth - 1);
			if (depth === 0) setTarget(null);
		};
		const over = (event: DragEvent) => {
			if (hasFiles(event)) event.preventDefault();
		};
		const drop = (event: DragEvent) => {
			if (!hasFiles(event) || event.dataTransfer === null) return;
			event.preventDefault();
			depth = 0;
			setTarget(null);
			const { path } = dropTargetOf(event);
			readDroppedFiles(event.dataTransfer).then(
				(picked) => onFiles(picked, path),
				() => toastError(m.files_upload_unreadable(), toastMs.files),
			);
		};
		const paste = (event: ClipboardEvent) => {
			if (event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]') !== null)
				return;
			const picked = readPastedFiles(event.clipboardData);
			if (picked.files.length === 0) return;
			event.preventDefault();
			onFiles(picked, null);
		};
		const options = new AbortController();
		window.addEventListener('dragenter', enter, options);
		window.addEventListener('dragleave', leave, options);
		window.addEventListener('dragover', over, options);
		window.addEventListener('drop', drop, options);
		window.addEventListener('paste', paste, options);
		return () => options.abort();
	}, [onFiles]);
	return onFiles === undefined ? null : target;
}

function dropTargetOf(event: DragEvent): DropTarget {
	const card = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-drop-path]') : null;
	return { path: card?.dataset.dropPath ?? null, name: card?.dataset.dropName ?? card?.textContent ?? '' };
}

function hasFiles(event: DragEvent): boolean {
	return event.dataTransfer?.types.includes('Files') === true;
}
