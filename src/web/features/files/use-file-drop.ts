import { useEffect, useState } from 'react';
import { m } from '#messages';
import { toastError, toastMs } from '#web/platform/toasts.ts';

/**
 * Takes files dropped anywhere on the page while `onDrop` is given. Folders are refused in words.
 * Returns whether files hover over the page right now.
 */
export function useFileDrop(onDrop: ((files: File[]) => void) | undefined): boolean {
	const [isOver, setOver] = useState(false);
	useEffect(() => {
		if (onDrop === undefined) return;
		// Entering a child leaves its parent: only the balance tells whether the page was left.
		let depth = 0;
		const enter = (event: DragEvent) => {
			if (!carriesFiles(event)) return;
			depth += 1;
			setOver(true);
		};
		const leave = (event: DragEvent) => {
			if (!carriesFiles(event)) return;
			depth = Math.max(0, depth - 1);
			if (depth === 0) setOver(false);
		};
		const over = (event: DragEvent) => {
			if (carriesFiles(event)) event.preventDefault();
		};
		const drop = (event: DragEvent) => {
			if (!carriesFiles(event)) return;
			event.preventDefault();
			depth = 0;
			setOver(false);
			const { files, hadFolder } = readDrop(event.dataTransfer);
			if (hadFolder) toastError(m.files_drop_only_files(), toastMs.files);
			if (files.length > 0) onDrop(files);
		};
		const listeners = { dragenter: enter, dragleave: leave, dragover: over, drop } as const;
		for (const [name, listener] of Object.entries(listeners)) window.addEventListener(name, listener as EventListener);
		return () => {
			for (const [name, listener] of Object.entries(listeners))
				window.removeEventListener(name, listener as EventListener);
		};
	}, [onDrop]);
	return isOver && onDrop !== undefined;
}

function carriesFiles(event: DragEvent): boolean {
	return event.dataTransfer?.types.includes('Files') === true;
}

function readDrop(data: DataTransfer | null): { files: File[]; hadFolder: boolean } {
	const items = [...(data?.items ?? [])].filter((item) => item.kind === 'file');
	const files = items
		.filter((item) => item.webkitGetAsEntry()?.isDirectory !== true)
		.flatMap((item) => item.getAsFile() ?? []);
	return { files, hadFolder: files.length < items.length };
}
