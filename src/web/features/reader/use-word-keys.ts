import { type RefObject, useEffect, useRef } from 'react';
import { isOwnKeys } from '#web/ui/pdf/use-page-turning.ts';
import { besideLine, type PageWord, rectOf, wordsOf } from './page-words.ts';

interface WordKeys {
	/** The pages. */
	box: RefObject<HTMLElement | null>;
	/** The one that is open, from 1. */
	page: number;
	/** Enter on what is selected. */
	onTools: () => void;
}

/** Of a page's height: what stands nearer to its upper or lower side is no part of the text. */
const edge = 0.07;

/** The words of a page, and which of them are selected: from one to another, in either order. */
interface Selected {
	words: PageWord[];
	from: number;
	to: number;
}

/**
 * Selects words without a pointer: `h` the first one in sight, arrows another, with Shift from there to another; Enter goes
 * to what can be done with them, Escape lets go.
 */
export function useWordKeys({ box, page, onTools }: WordKeys): void {
	const selected = useRef<Selected | null>(null);
	useEffect(() => {
		selected.current = null;
		const onKey = (event: KeyboardEvent) => {
			if (event.ctrlKey || event.metaKey || event.altKey || isOwnKeys(event.target)) return;
			const isInPages = event.target === document.body || box.current?.contains(event.target as Node) === true;
			if (event.key === 'h') selected.current = findFirst(box.current, page);
			else if (!isInPages || selected.current === null || isLetGo()) return;
			else if (event.key === 'Enter') onTools();
			else if (event.key === 'Escape') {
				selected.current = null;
				document.getSelection()?.removeAllRanges();
			} else {
				const moved = move(selected.current, event.key, event.shiftKey);
				if (moved === null) return;
				selected.current = moved;
			}
			if (selected.current !== null) {
				if (event.key !== 'Enter') show(selected.current);
				event.preventDefault();
				event.stopImmediatePropagation();
			}
		};
		// Before the keys that turn pages.
		document.addEventListener('keydown', onKey, { capture: true });
		// Whoever takes the mouse selects by it.
		const forget = () => {
			selected.current = null;
		};
		document.addEventListener('pointerdown', forget);
		return () => {
			document.removeEventListener('keydown', onKey, { capture: true });
			document.removeEventListener('pointerdown', forget);
		};
	}, [box, page, onTools]);
}

function isLetGo(): boolean {
	return document.getSelection()?.isCollapsed !== false;
}

function findFirst(box: HTMLElement | null, page: number): Selected | null {
	const text = box?.querySelector<HTMLElement>(`[data-page-number="${page}"] [data-text]`);
	const words = text == null ? [] : wordsOf(text);
	const sheet = text?.getBoundingClientRect();
	const top = box?.getBoundingClientRect().top ?? 0;
	const tops = words.map((word) => rectOf(word).top);
	// Running heads and page numbers stand at the edges; where nothing else does, they will do.
	const isBody = (at: number) =>
		sheet !== undefined && at > sheet.top + sheet.height * edge && at < sheet.bottom - sheet.height * edge;
	const body = tops.findIndex((at) => at >= top && isBody(at));
	const first = body === -1 ? tops.findIndex((at) => at >= top) : body;
	if (first === -1) return null;
	box?.focus({ preventScroll: true });
	return { words, from: first, to: first };
}

function move({ words, from, to }: Selected, key: string, isLonger: boolean): Selected | null {
	const next = nextWord(words, to, key);
	if (next === null) return null;
	const last = Math.min(words.length - 1, Math.max(0, next));
	return { words, from: isLonger ? from : last, to: last };
}

function nextWord(words: readonly PageWord[], at: number, key: string): number | null {
	if (key === 'ArrowRight') return at + 1;
	if (key === 'ArrowLeft') return at - 1;
	if (key === 'ArrowDown' || key === 'ArrowUp') return besideLine(words.map(rectOf), at, key === 'ArrowDown' ? 1 : -1);
	if (key === 'Home') return 0;
	return key === 'End' ? words.length - 1 : null;
}

function show({ words, from, to }: Selected): void {
	const [first, last] = [words[Math.min(from, to)], words[Math.max(from, to)]];
	const moving = words[to];
	if (first === undefined || last === undefined || moving === undefined) return;
	document.getSelection()?.setBaseAndExtent(first.node, first.start, last.node, last.end);
	moving.node.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
