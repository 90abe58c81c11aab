import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { NodeSelection } from './use-node-selection.ts';

interface ListingKeyboardOptions {
	folders: number;
	files: number;
	/** Numbers of columns of the folders and of the files; 1 if undefined. */
	folderColumns?: RefObject<number>;
	fileColumns?: RefObject<number>;
	/** Opens a node. Returns false if its link opens the node, or if the node is not loaded. */
	onOpen: (index: number) => boolean;
	onChange?: (kind: 'remove' | 'rename', index: number) => void;
	selection: Pick<NodeSelection, 'selection' | 'toggle' | 'to' | 'all' | 'clear'> | undefined;
}

/**
 * Handles the keys of a listing: arrows move the cursor, and with Shift extend the selection; Space, Ctrl+A and Escape
 * change the selection; Enter opens, F2 renames, Delete deletes after confirmation.
 * @returns `cursor`, the index of the focusable node (folders first), and the props of the element around the nodes
 */
export function useListingKeyboard(options: ListingKeyboardOptions) {
	const { folders, files, folderColumns, fileColumns, selection } = options;
	const container = useRef<HTMLDivElement>(null);
	const pendingFocus = useRef<number | null>(null);
	const [requested, setCursor] = useState(0);
	const cursor = Math.min(requested, Math.max(0, folders + files - 1));

	// A node outside the window can be focused only after it was rendered.
	useEffect(() => {
		if (pendingFocus.current !== null && focusNode(pendingFocus.current)) pendingFocus.current = null;
	});

	/** Returns false if the node is not rendered. */
	function focusNode(index: number): boolean {
		const row = container.current?.querySelector<HTMLElement>(`[data-row="${index}"]`);
		if (!row) return false;
		row.focus({ preventScroll: true });
		(row.closest('[data-entry]') ?? row).scrollIntoView({ block: 'nearest' });
		return true;
	}

	function moveTo(to: number): void {
		// An unchanged cursor causes no render, so the effect above does not focus the node.
		if (to === cursor) focusNode(to);
		else pendingFocus.current = to;
		setCursor(to);
	}

	function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
		if (event.altKey || !isFromRow(event.target, container.current)) return;
		if (handleKey(event)) event.preventDefault();
	}

	function handleKey({ key, ctrlKey, metaKey, shiftKey, target }: KeyboardEvent): boolean {
		if (ctrlKey || metaKey) {
			if (key.toLowerCase() !== 'a') return false;
			void selection?.all();
			return true;
		}
		const columns = folderColumns?.current ?? 1;
		const next = moveCursor(cursor, key, { folders, files, columns, fileColumns: fileColumns?.current });
		if (next !== undefined) {
			if (shiftKey) selection?.to(next, cursor);
			moveTo(next);
			return true;
		}
		if (key === ' ' && !isControl(target)) {
			selection?.toggle(cursor);
			return true;
		}
		if (key === 'Escape') {
			selection?.clear();
			return selection !== undefined && selection.selection.chosen.size > 0;
		}
		if (key === 'Enter' && isRow(target)) return options.onOpen(cursor);
		if (key === 'Delete') options.onChange?.('remove', cursor);
		else if (key === 'F2') options.onChange?.('rename', cursor);
		else return false;
		return true;
	}

	return {
		cursor,
		containerProps: {
			ref: container,
			onKeyDown,
			onFocus: ({ target }: { target: EventTarget }) => {
				const index =
					target instanceof HTMLElement ? target.closest<HTMLElement>('[data-row]')?.dataset.row : undefined;
				if (index !== undefined) setCursor(Number(index));
			},
		},
	};
}

function isRow(target: EventTarget): boolean {
	return target instanceof HTMLDivElement && target.dataset.row !== undefined;
}

/** Whether the target handles Space itself: a checkbox or a focusable button inside a row. */
function isControl(target: EventTarget): boolean {
	if (target instanceof HTMLInputElement) return true;
	return target instanceof HTMLButtonElement && target.tabIndex >= 0 && target.dataset.row === undefined;
}

/** Whether a key was pressed on a row. Events of dialogs and menus bubble through React too. */
function isFromRow(target: EventTarget, container: HTMLElement | null): boolean {
	return (
		target instanceof HTMLElement &&
		container?.contains(target) === true &&
		target.closest('[role="menu"], nav') === null &&
		target.closest('[data-row], [data-entry]') !== null
	);
}

/** Folder cards have `columns` columns; the files below have `fileColumns` columns (1 in a list). */
interface ListLayout {
	folders: number;
	files: number;
	columns: number;
	fileColumns?: number | undefined;
}

/**
 * Returns the index to which a key moves the cursor, or undefined if the key does not move the cursor. Indexes begin
 * with the folders. From the last row of folders, ArrowDown moves the cursor to the first file.
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
	const rowOf = (at: number) => Math.floor(at / block.columns);
	switch (key) {
		case 'ArrowRight':
			return block.isList ? undefined : block.start + Math.min(offset + 1, block.count - 1);
		case 'ArrowLeft':
			return block.isList ? undefined : block.start + Math.max(offset - 1, 0);
		case 'ArrowDown':
			if (offset + block.columns < block.count) return index + block.columns;
			if (rowOf(offset) < rowOf(block.count - 1)) return block.start + block.count - 1;
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
