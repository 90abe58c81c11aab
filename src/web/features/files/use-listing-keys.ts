import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { moveCursor } from './file-cursor.ts';
import type { FileRowsHandle } from './file-rows.tsx';
import type { NodeActions } from './node-actions.ts';

interface ListingKeysParts {
	folders: readonly Node[];
	files: readonly Node[];
	cards: RefObject<HTMLUListElement | null>;
	rows: RefObject<FileRowsHandle | null>;
	actions: NodeActions;
}

interface ListingKeys {
	/** Index of the entry that Tab reaches, folders first. */
	cursor: number;
	containerProps: {
		ref: RefObject<HTMLDivElement | null>;
		onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
		onFocus: (event: { target: EventTarget }) => void;
	};
}

/** Arrows move the cursor over cards and rows, Enter opens, Delete asks to delete. */
export function useListingKeys({ folders, files, cards, rows, actions }: ListingKeysParts): ListingKeys {
	const container = useRef<HTMLDivElement>(null);
	const wanted = useRef<number | null>(null);
	const [chosen, setCursor] = useState(0);
	const count = folders.length + files.length;
	const cursor = Math.min(chosen, Math.max(0, count - 1));

	// A row far away is drawn with the new cursor and takes the focus then.
	useEffect(() => {
		if (wanted.current === null) return;
		const row = container.current?.querySelector<HTMLElement>(`[data-row="${wanted.current}"]`);
		if (!row) return;
		wanted.current = null;
		row.focus({ preventScroll: true });
		row.scrollIntoView({ block: 'nearest' });
	});

	function go(to: number): void {
		wanted.current = to;
		if (to >= folders.length) rows.current?.scrollTo(to - folders.length);
		setCursor(to);
		// The same cursor draws nothing anew, but may have lost the focus.
		if (to === cursor) container.current?.querySelector<HTMLElement>(`[data-row="${to}"]`)?.focus();
	}

	function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
		if (event.ctrlKey || event.metaKey || event.altKey || !isFromRow(event.target, container.current)) return;
		const next = moveCursor(cursor, event.key, {
			folders: folders.length,
			files: files.length,
			columns: columnsOf(cards.current),
		});
		if (next !== undefined) {
			event.preventDefault();
			go(next);
			return;
		}
		const node = folders[cursor] ?? files[cursor - folders.length];
		if (node === undefined) return;
		if (event.key === 'Enter' && node.kind === 'file' && isRow(event.target)) {
			event.preventDefault();
			actions.open(node);
		}
		if (event.key === 'Delete' && actions.canWrite) {
			event.preventDefault();
			actions.remove(node);
		}
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
	return target instanceof HTMLElement && target.dataset.row !== undefined;
}

/** Dialogs and menus are children in React, not on the page: their keys are their own. */
function isFromRow(target: EventTarget, container: HTMLElement | null): boolean {
	return (
		target instanceof HTMLElement && container?.contains(target) === true && target.closest('[role="menu"]') === null
	);
}

function columnsOf(list: HTMLElement | null): number {
	if (list === null) return 1;
	return Math.max(1, getComputedStyle(list).gridTemplateColumns.split(' ').length);
}
