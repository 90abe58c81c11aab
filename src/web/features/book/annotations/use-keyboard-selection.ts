import { useWindowEvent } from '@mantine/hooks';
import { type RefObject, useEffect, useRef } from 'react';
import type { TextPart } from '#web/ui/pdf/text/text-ranges.ts';
import { hasOwnKeyboardHandling } from '#web/ui/pdf/viewer/use-page-navigation.ts';
import { findWordOnAdjacentLine, wordRect, wordsOf } from './page-words.ts';

interface KeyboardSelectionOptions {
	box: RefObject<HTMLElement | null>;
	page: number;
	onOpenToolbar: () => void;
}

/** Height of the areas with running heads and page numbers at the page's edges, as a share of the page's height. */
const pageMarginShare = 0.07;

interface WordSelection {
	words: TextPart[];
	from: number;
	to: number;
}

/**
 * Selects text by keyboard. `h` selects the first visible word. Arrow keys, Home and End move the selection, or extend
 * it while Shift is pressed. Enter opens the toolbar, and Escape clears the selection.
 */
export function useKeyboardSelection({ box, page, onOpenToolbar }: KeyboardSelectionOptions): void {
	const selected = useRef<WordSelection | null>(null);
	useEffect(() => {
		void page;
		selected.current = null;
	}, [page]);
	// Captures events, so that arrow keys do not turn pages.
	useWindowEvent(
		'keydown',
		(event) => {
			if (event.ctrlKey || event.metaKey || event.altKey || hasOwnKeyboardHandling(event.target)) return;
			const isInPages = event.target === document.body || box.current?.contains(event.target as Node) === true;
			if (event.key === 'h') selected.current = selectFirstVisibleWord(box.current, page);
			else if (!isInPages || selected.current === null || isSelectionEmpty()) return;
			else if (event.key === 'Enter') onOpenToolbar();
			else if (event.key === 'Escape') {
				selected.current = null;
				document.getSelection()?.removeAllRanges();
			} else {
				const moved = moveSelection(selected.current, event.key, event.shiftKey);
				if (moved === null) return;
				selected.current = moved;
			}
			if (selected.current === null) return;
			if (event.key !== 'Enter') applySelection(selected.current);
			event.preventDefault();
			event.stopImmediatePropagation();
		},
		{ capture: true },
	);
	// The browser itself handles selection by pointer.
	useWindowEvent('pointerdown', () => {
		selected.current = null;
	});
}

function isSelectionEmpty(): boolean {
	return document.getSelection()?.isCollapsed !== false;
}

function selectFirstVisibleWord(box: HTMLElement | null, page: number): WordSelection | null {
	const text = box?.querySelector<HTMLElement>(`[data-page-number="${page}"] [data-text]`);
	const words = text == null ? [] : wordsOf(text);
	const sheet = text?.getBoundingClientRect();
	const top = box?.getBoundingClientRect().top ?? 0;
	const tops = words.map((word) => wordRect(word).top);
	// Skips running heads and page numbers, unless no other text is visible.
	const isBody = (at: number) =>
		sheet !== undefined &&
		at > sheet.top + sheet.height * pageMarginShare &&
		at < sheet.bottom - sheet.height * pageMarginShare;
	const body = tops.findIndex((at) => at >= top && isBody(at));
	const first = body === -1 ? tops.findIndex((at) => at >= top) : body;
	if (first === -1) return null;
	box?.focus({ preventScroll: true });
	return { words, from: first, to: first };
}

function moveSelection({ words, from, to }: WordSelection, key: string, isExtended: boolean): WordSelection | null {
	const next = nextWord(words, to, key);
	if (next === null) return null;
	const last = Math.min(words.length - 1, Math.max(0, next));
	return { words, from: isExtended ? from : last, to: last };
}

function nextWord(words: readonly TextPart[], at: number, key: string): number | null {
	if (key === 'ArrowRight') return at + 1;
	if (key === 'ArrowLeft') return at - 1;
	if (key === 'ArrowDown' || key === 'ArrowUp')
		return findWordOnAdjacentLine(words.map(wordRect), at, key === 'ArrowDown' ? 1 : -1);
	if (key === 'Home') return 0;
	return key === 'End' ? words.length - 1 : null;
}

function applySelection({ words, from, to }: WordSelection): void {
	const [first, last] = [words[Math.min(from, to)], words[Math.max(from, to)]];
	const moving = words[to];
	if (first === undefined || last === undefined || moving === undefined) return;
	document.getSelection()?.setBaseAndExtent(first.node, first.start, last.node, last.end);
	moving.node.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
