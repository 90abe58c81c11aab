import { useDebouncedCallback, useWindowEvent } from '@mantine/hooks';
import { type RefObject, useEffect, useState } from 'react';
import { quoteOfRange } from '#web/ui/pdf/text/text-ranges.ts';
import { boxesOfRange, type PageBox } from '#web/ui/pdf/viewer/page-box.ts';

export interface SelectedText {
	page: number;
	boxes: PageBox[];
	quote: string;
	rect: DOMRect;
}

const selectionDelayMs = 250;

/**
 * Returns the selected text in `box`. If several pages are selected, only the text of the first page is returned.
 * `selected` follows the selection with a delay; `read` returns the current selection.
 */
export function useTextSelection(box: RefObject<HTMLElement | null>) {
	const [selected, setSelected] = useState<SelectedText | null>(null);
	const readLater = useDebouncedCallback(() => setSelected(readSelection(box.current)), selectionDelayMs);
	useEffect(() => {
		document.addEventListener('selectionchange', readLater);
		return () => document.removeEventListener('selectionchange', readLater);
	}, [readLater]);
	useWindowEvent('scroll', () => setSelected(null), { passive: true, capture: true });
	const clear = () => {
		document.getSelection()?.removeAllRanges();
		setSelected(null);
	};
	const read = () => readSelection(box.current) ?? selected;
	return { selected, read, clear };
}

function readSelection(box: HTMLElement | null): SelectedText | null {
	const selection = document.getSelection();
	if (box === null || selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
	const range = selection.getRangeAt(0).cloneRange();
	const page = pageOf(range.startContainer);
	if (page === null || !box.contains(page)) return null;
	if (!page.contains(range.endContainer)) range.setEnd(page, page.childNodes.length);
	const boxes = boxesOfRange(range, page);
	const quote = quoteOfRange(range);
	if (boxes.length === 0 || quote === '') return null;
	return { page: Number(page.dataset.pageNumber), boxes, quote, rect: rectOf(boxes, page) };
}

function rectOf(boxes: readonly PageBox[], page: HTMLElement): DOMRect {
	const { left, top, width, height } = page.getBoundingClientRect();
	const [x, y] = [Math.min(...boxes.map((box) => box[0])), Math.min(...boxes.map((box) => box[1]))];
	const [right, bottom] = [Math.max(...boxes.map((box) => box[2])), Math.max(...boxes.map((box) => box[3]))];
	return new DOMRect(left + x * width, top + y * height, (right - x) * width, (bottom - y) * height);
}

function pageOf(node: Node): HTMLElement | null {
	const element = node instanceof Element ? node : node.parentElement;
	return element?.closest<HTMLElement>('[data-page-number]') ?? null;
}

/** Returns the page that contains `target`. `at`: the point as shares of the page's width and height. */
export function pageAt(target: EventTarget | null, x: number, y: number) {
	const page = target instanceof Node ? pageOf(target) : null;
	if (page === null) return null;
	const { left, top, width, height } = page.getBoundingClientRect();
	return { page: Number(page.dataset.pageNumber), at: [(x - left) / width, (y - top) / height] as const };
}
