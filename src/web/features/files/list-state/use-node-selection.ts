import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { useStableCallback } from '#web/ui/hooks/latest-value.ts';
import type { ListingRows } from './listing-rows.ts';

const longPressMs = 500;
/** A touch that moves further is a scroll instead of a long press. */
const moveTolerancePx = 10;

interface NodeSelectionOptions {
	rows: ListingRows;
	/** Number of folders, including folders not loaded yet. */
	folders: number;
	/** A change of this key clears the selection. */
	listKey: string;
}

export function useNodeSelection({ rows, folders, listKey }: NodeSelectionOptions) {
	const [{ selection, of }, setState] = useState({ selection: emptySelection, of: listKey });
	const [isLoadingAll, setLoadingAll] = useState(false);
	const current = of === listKey ? selection : emptySelection;
	const nodeAt = (index: number) => (index < folders ? rows.folders[index] : rows.files[index - folders]);
	const set = (next: Selection) => setState({ selection: next, of: listKey });
	const actions = {
		only: (index: number) => set(selectTo(index, index, nodeAt)),
		toggle: (index: number) => set(toggleNode(current, index, nodeAt)),
		/** Selects all nodes from the anchor to `index`. If there is no anchor, `from` becomes the anchor. */
		to: (index: number, from: number) => set(selectTo(current.anchor ?? from, index, nodeAt)),
		clear: () => set(emptySelection),
		set,
		all: async () => {
			setLoadingAll(true);
			try {
				await rows.loadAll();
			} catch {
				// The list shows the error. The loaded nodes are selected.
			} finally {
				setLoadingAll(false);
			}
			set(selectAll([...rows.folders, ...rows.files]));
		},
	};
	const select = useStableCallback((index: number, isRange: boolean) =>
		isRange ? actions.to(index, index) : actions.toggle(index),
	);
	const pointerProps = useSelectionPointer(current, actions);
	return { selection: current, isLoadingAll, nodeAt, ...actions, select, pointerProps };
}

export type NodeSelection = ReturnType<typeof useNodeSelection>;

interface SelectionHandlers {
	only: (index: number) => void;
	toggle: (index: number) => void;
	to: (index: number, from: number) => void;
}

/** Selects by click (Ctrl or Cmd toggles, Shift selects a range). On touch, a long press starts a selection. */
function useSelectionPointer({ chosen, anchor }: Selection, { only, toggle, to }: SelectionHandlers) {
	const press = useRef<{ timer: number; x: number; y: number } | undefined>(undefined);
	const wasLongPress = useRef(false);
	const cancelLongPress = () => {
		window.clearTimeout(press.current?.timer);
		press.current = undefined;
	};
	useEffect(() => () => window.clearTimeout(press.current?.timer), []);

	return {
		onClickCapture: (event: MouseEvent) => {
			const index = nodeIndexAt(event.target);
			if (index === undefined) return;
			const isToggling = event.ctrlKey || event.metaKey;
			const isTouchMode = wasLongPress.current || (isTouch(event) && chosen.size > 0);
			const control = (event.target as Element).closest('button, a, input');
			const isName = control?.matches('[data-row], [data-row] button[title]:not([aria-label])') === true;
			if (control !== null && !(isName && (isToggling || event.shiftKey || isTouchMode))) return;
			event.preventDefault();
			event.stopPropagation();
			if (wasLongPress.current) wasLongPress.current = false;
			else if (event.shiftKey) to(index, anchor ?? index);
			else if (isToggling || isTouchMode) toggle(index);
			else if (!isTouch(event)) only(index);
		},
		onPointerDown: (event: PointerEvent) => {
			wasLongPress.current = false;
			const index = nodeIndexAt(event.target);
			if (event.pointerType !== 'touch' || index === undefined) return;
			const timer = window.setTimeout(() => {
				wasLongPress.current = true;
				toggle(index);
			}, longPressMs);
			press.current = { timer, x: event.clientX, y: event.clientY };
		},
		onPointerMove: (event: PointerEvent) => {
			const touchStart = press.current;
			if (touchStart && Math.hypot(event.clientX - touchStart.x, event.clientY - touchStart.y) > moveTolerancePx)
				cancelLongPress();
		},
		onPointerUp: cancelLongPress,
		onPointerCancel: cancelLongPress,
		onContextMenu: (event: MouseEvent) => {
			if (press.current !== undefined || wasLongPress.current) event.preventDefault();
		},
	};
}

function isTouch({ nativeEvent }: MouseEvent): boolean {
	return 'pointerType' in nativeEvent && nativeEvent.pointerType === 'touch';
}

/** Returns the index of the node that contains the target; undefined in menus and dialogs. */
function nodeIndexAt(target: EventTarget): number | undefined {
	if (!(target instanceof Element)) return undefined;
	const index = target.closest<HTMLElement>('[data-entry]')?.dataset.entry;
	return index === undefined ? undefined : Number(index);
}

interface Selection {
	chosen: ReadonlyMap<string, Node>;
	/** Index of the node where a range starts, folders first; null if there is none. */
	anchor: number | null;
}

export const emptySelection: Selection = { chosen: new Map(), anchor: null };

/** Returns the node at an index; undefined if it is not loaded. */
type FindNode = (index: number) => Node | undefined;

export function toggleNode({ chosen, anchor }: Selection, index: number, nodeAt: FindNode): Selection {
	const node = nodeAt(index);
	if (node === undefined) return { chosen, anchor };
	const next = new Map(chosen);
	if (!next.delete(node.id)) next.set(node.id, node);
	return { chosen: next, anchor: index };
}

/** Selects only the nodes from the anchor to `index`. */
export function selectTo(anchor: number, index: number, nodeAt: FindNode): Selection {
	const start = Math.min(anchor, index);
	const range = Array.from({ length: Math.abs(anchor - index) + 1 }, (_, offset) => nodeAt(start + offset) ?? []);
	return { ...selectAll(range.flat()), anchor };
}

export function selectAll(nodes: readonly Node[]): Selection {
	return { chosen: new Map(nodes.map((node) => [node.id, node])), anchor: 0 };
}

export function deselect(selection: Selection, ids: Iterable<string>): Selection {
	const chosen = new Map(selection.chosen);
	for (const id of ids) chosen.delete(id);
	return { chosen, anchor: chosen.size === 0 ? null : selection.anchor };
}
