import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { ListingRows } from './listing-rows.ts';
import { nothingSelected, type Selection, selectAll, selectOnly, selectTo, toggle } from './selection.ts';

const longPressMs = 500;
/** A finger that wanders further scrolls. */
const slackPx = 10;

interface SelectionParts {
	rows: ListingRows;
	/** Number of folders, loaded or not: files come after them. */
	folders: number;
	/** Another list begins with nothing selected. */
	listKey: string;
}

/** What is selected among the entries, by mouse, keyboard and touch. */
export function useEntrySelection({ rows, folders, listKey }: SelectionParts) {
	const [{ selection, of }, setState] = useState({ selection: nothingSelected, of: listKey });
	const [isLoadingAll, setLoadingAll] = useState(false);
	const now = of === listKey ? selection : nothingSelected;
	const nodeAt = (index: number) => (index < folders ? rows.folders[index] : rows.files[index - folders]);
	const set = (next: Selection) => setState({ selection: next, of: listKey });
	const change = (step: (before: Selection) => Selection) => set(step(now));
	const actions = {
		only: (index: number) => change(() => selectOnly(index, nodeAt)),
		toggle: (index: number) => change((before) => toggle(before, index, nodeAt)),
		to: (index: number, from: number) =>
			change((before) => selectTo(before.anchor === null ? { ...before, anchor: from } : before, index, nodeAt)),
		clear: () => set(nothingSelected),
		set,
		/** All entries, those too that have not been loaded yet. */
		all: async () => {
			setLoadingAll(true);
			try {
				await rows.loadAll();
			} catch {
				// The list says what failed; what is there is selected.
			} finally {
				setLoadingAll(false);
			}
			set(selectAll([...rows.folders, ...rows.files]));
		},
	};
	return { selection: now, isLoadingAll, nodeAt, ...actions, pointerProps: usePresses(now, actions) };
}

interface Presses {
	only: (index: number) => void;
	toggle: (index: number) => void;
	to: (index: number, from: number) => void;
}

/** A click selects, with Ctrl or Cmd one more, with Shift all between; a long press begins to select by touch. */
function usePresses({ chosen, anchor }: Selection, { only, toggle: flip, to }: Presses) {
	const press = useRef<{ timer: number; x: number; y: number } | undefined>(undefined);
	const wasLong = useRef(false);
	const end = () => {
		window.clearTimeout(press.current?.timer);
		press.current = undefined;
	};
	useEffect(() => () => window.clearTimeout(press.current?.timer), []);

	return {
		onClickCapture: (event: MouseEvent) => {
			const index = indexOf(event.target);
			if (index === undefined) return;
			const isMore = event.ctrlKey || event.metaKey;
			const isTouchMode = wasLong.current || (isTouch(event) && chosen.size > 0);
			const control = (event.target as Element).closest('button, a, input');
			const isName = control?.matches('[data-row], [data-row] button[title]:not([aria-label])') === true;
			if (control !== null && !(isName && (isMore || event.shiftKey || isTouchMode))) return;
			event.preventDefault();
			event.stopPropagation();
			if (wasLong.current) wasLong.current = false;
			else if (event.shiftKey) to(index, anchor ?? index);
			else if (isMore || isTouchMode) flip(index);
			else if (!isTouch(event)) only(index);
		},
		onPointerDown: (event: PointerEvent) => {
			wasLong.current = false;
			const index = indexOf(event.target);
			if (event.pointerType !== 'touch' || index === undefined) return;
			const timer = window.setTimeout(() => {
				wasLong.current = true;
				flip(index);
			}, longPressMs);
			press.current = { timer, x: event.clientX, y: event.clientY };
		},
		onPointerMove: (event: PointerEvent) => {
			const begun = press.current;
			if (begun && Math.hypot(event.clientX - begun.x, event.clientY - begun.y) > slackPx) end();
		},
		onPointerUp: end,
		onPointerCancel: end,
		onContextMenu: (event: MouseEvent) => {
			if (press.current !== undefined || wasLong.current) event.preventDefault();
		},
	};
}

function isTouch({ nativeEvent }: MouseEvent): boolean {
	return 'pointerType' in nativeEvent && nativeEvent.pointerType === 'touch';
}

/** The place of the entry that an event happened on; menus and dialogs are elsewhere on the page. */
function indexOf(target: EventTarget): number | undefined {
	if (!(target instanceof Element)) return undefined;
	const index = target.closest<HTMLElement>('[data-entry]')?.dataset.entry;
	return index === undefined ? undefined : Number(index);
}
