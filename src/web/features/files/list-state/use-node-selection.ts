import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { ListingRows } from './listing-rows.ts';
import { emptySelection, type Selection, selectAll, selectOnly, selectTo, toggleNode } from './selection.ts';

const longPressMs = 500;
/** A touch that moves further than this scrolls. */
const moveTolerancePx = 10;

interface NodeSelectionOptions {
	rows: ListingRows;
	/** Number of folders, loaded or not; files follow them. */
	folders: number;
	/** A change of this key clears the selection. */
	listKey: string;
}

/** Selection of nodes by mouse, keyboard and touch. */
export function useNodeSelection({ rows, folders, listKey }: NodeSelectionOptions) {
	const [{ selection, of }, setState] = useState({ selection: emptySelection, of: listKey });
	const [isLoadingAll, setLoadingAll] = useState(false);
	const current = of === listKey ? selection : emptySelection;
	const nodeAt = (index: number) => (index < folders ? rows.folders[index] : rows.files[index - folders]);
	const set = (next: Selection) => setState({ selection: next, of: listKey });
	const change = (step: (before: Selection) => Selection) => set(step(current));
	const actions = {
		only: (index: number) => change(() => selectOnly(index, nodeAt)),
		toggle: (index: number) => change((before) => toggleNode(before, index, nodeAt)),
		to: (index: number, from: number) =>
			change((before) => selectTo(before.anchor === null ? { ...before, anchor: from } : before, index, nodeAt)),
		clear: () => set(emptySelection),
		set,
		/** Selects all nodes, including those not loaded yet. */
		all: async () => {
			setLoadingAll(true);
			try {
				await rows.loadAll();
			} catch {
				// The list shows the error; the loaded nodes are selected.
			} finally {
				setLoadingAll(false);
			}
			set(selectAll([...rows.folders, ...rows.files]));
		},
	};
	return { selection: current, isLoadingAll, nodeAt, ...actions, pointerProps: useSelectionPointer(current, actions) };
}

interface SelectionHandlers {
	only: (index: number) => void;
	toggle: (index: number) => void;
	to: (index: number, from: number) => void;
}

/** A click selects, with Ctrl or Cmd toggles, with Shift selects a range; a long press starts selecting by touch. */
function useSelectionPointer({ chosen, anchor }: Selection, { only, toggle: toggleAt, to }: SelectionHandlers) {
	const press = useRef<{ timer: number; x: number; y: number } | undefined>(undefined);
	const wasLongPress = useRef(false);
	const end = () => {
		window.clearTimeout(press.current?.timer);
		press.current = undefined;
	};
	useEffect(() => () => window.clearTimeout(press.current?.timer), []);

	return {
		onClickCapture: (event: MouseEvent) => {
			const index = nodeIndexAt(event.target);
			if (index === undefined) return;
			const isMore = event.ctrlKey || event.metaKey;
			const isTouchMode = wasLongPress.current || (isTouch(event) && chosen.size > 0);
			const control = (event.target as Element).closest('button, a, input');
			const isName = control?.matches('[data-row], [data-row] button[title]:not([aria-label])') === true;
			if (control !== null && !(isName && (isMore || event.shiftKey || isTouchMode))) return;
			event.preventDefault();
			event.stopPropagation();
			if (wasLongPress.current) wasLongPress.current = false;
			else if (event.shiftKey) to(index, anchor ?? index);
			else if (isMore || isTouchMode) toggleAt(index);
			else if (!isTouch(event)) only(index);
		},
		onPointerDown: (event: PointerEvent) => {
			wasLongPress.current = false;
			const index = nodeIndexAt(event.target);
			if (event.pointerType !== 'touch' || index === undefined) return;
			const timer = window.setTimeout(() => {
				wasLongPress.current = true;
				toggleAt(index);
			}, longPressMs);
			press.current = { timer, x: event.clientX, y: event.clientY };
		},
		onPointerMove: (event: PointerEvent) => {
			const started = press.current;
			if (started && Math.hypot(event.clientX - started.x, event.clientY - started.y) > moveTolerancePx) end();
		},
		onPointerUp: end,
		onPointerCancel: end,
		onContextMenu: (event: MouseEvent) => {
			if (press.current !== undefined || wasLongPress.current) event.preventDefault();
		},
	};
}

function isTouch({ nativeEvent }: MouseEvent): boolean {
	return 'pointerType' in nativeEvent && nativeEvent.pointerType === 'touch';
}

/** Index of the node that an event happened on; undefined in menus and dialogs, which are elsewhere in the DOM. */
function nodeIndexAt(target: EventTarget): number | undefined {
	if (!(target instanceof Element)) return undefined;
	const index = target.closest<HTMLElement>('[data-entry]')?.dataset.entry;
	return index === undefined ? undefined : Number(index);
}
