import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { moveCursor } from './keyboard-cursor.ts';
import type { VirtualGridHandle } from './virtual-grid.tsx';

interface ListingKeyboardOptions {
	/** Numbers of folders and files, loaded or not. */
	folders: number;
	files: number;
	cards: RefObject<VirtualGridHandle | null>;
	tiles: RefObject<VirtualGridHandle | null>;
	/** Opens the file at an index; returns false for a folder or a node that is not loaded. */
	onOpen: (index: number) => boolean;
	onDelete: (index: number) => void;
	onRename: (index: number) => void;
	select: {
		toggle: (index: number) => void;
		to: (index: number, from: number) => void;
		all: () => void;
		clear: () => boolean;
	};
}

interface ListingKeyboard {
	/** Index of the node that Tab focuses, folders first. */
	cursor: number;
	containerProps: {
		ref: RefObject<HTMLDivElement | null>;
		onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
		onFocus: (event: { target: EventTarget }) => void;
	};
}

/**
 * Handles the keys of a listing: arrows move the cursor and with Shift select; Space, Ctrl+A and Escape change the
 * selection; Enter opens, F2 renames, and Delete asks to delete.
 */
export function useListingKeyboard(options: ListingKeyboardOptions): ListingKeyboard {
	const { folders, files, cards, tiles, select } = options;
	const container = useRef<HTMLDivElement>(null);
	const pendingFocus = useRef<number | null>(null);
	const [requested, setCursor] = useState(0);
	const cursor = Math.min(requested, Math.max(0, folders + files - 1));

	// A node outside the window is rendered with the new cursor, and focused only then.
	useEffect(() => {
		if (pendingFocus.current === null) return;
		const row = container.current?.querySelector<HTMLElement>(`[data-row="${pendingFocus.current}"]`);
		if (!row) return;
		pendingFocus.current = null;
		row.focus({ preventScroll: true });
	});

	function moveTo(to: number): void {
		pendingFocus.current = to;
		if (to < folders) cards.current?.scrollTo(to);
		else tiles.current?.scrollTo(to - folders);
		setCursor(to);
		// An unchanged cursor causes no render, but its node may have lost the focus.
		if (to === cursor) container.current?.querySelector<HTMLElement>(`[data-row="${to}"]`)?.focus();
	}

	function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
		if (event.altKey || !isFromRow(event.target, container.current)) return;
		const isHandled = event.ctrlKey || event.metaKey ? handleModifiedKey(event) : handlePlainKey(event);
		if (isHandled) event.preventDefault();
	}

	function handleModifiedKey({ key }: KeyboardEvent): boolean {
		if (key.toLowerCase() !== 'a') return false;
		select.all();
		return true;
	}

	function handlePlainKey({ key, shiftKey, target }: KeyboardEvent): boolean {
		const layout = {
			folders,
			files,
			columns: cards.current?.columns() ?? 1,
			fileColumns: tiles.current?.columns() ?? 1,
		};
		const next = moveCursor(cursor, key, layout);
		if (next !== undefined) {
			if (shiftKey) select.to(next, cursor);
			moveTo(next);
			return true;
		}
		if (key === ' ' && !isControl(target)) {
			select.toggle(cursor);
			return true;
		}
		if (key === 'Escape') return select.clear();
		if (key === 'Enter' && isRow(target)) return options.onOpen(cursor);
		if (key === 'Delete') options.onDelete(cursor);
		else if (key === 'F2') options.onRename(cursor);
		else return false;
		return true;
	}

	return {
		cursor,
		containerProps: {
			ref: container,
			onKeyDown,
			onFocus: ({ target }) => {
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

/** Whether the target handles Space itself: a checkbox, or a button of a row that Tab reaches. */
function isControl(target: EventTarget): boolean {
	if (target instanceof HTMLInputElement) return true;
	return target instanceof HTMLButtonElement && target.tabIndex >= 0 && target.dataset.row === undefined;
}

/**
 * Whether a key was pressed on a row. Dialogs and menus are React children outside the container and handle their own
 * keys.
 */
function isFromRow(target: EventTarget, container: HTMLElement | null): boolean {
	return (
		target instanceof HTMLElement &&
		container?.contains(target) === true &&
		target.closest('[role="menu"], nav') === null &&
		target.closest('[data-row], [data-entry]') !== null
	);
}
