import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { iconProps } from '../icon.ts';
import { DeskPage, type DeskPagesProps, layPage, type PagesProps } from './desk-page.tsx';
import { canvasMaxPixels, clampPage, type DeskSize } from './page-size.ts';
import { PagesDown } from './pages-down.tsx';
import classes from './pdf-desk.module.css';
import { usePageShapes } from './use-page-shapes.ts';
import { type PageTap, tapOf, usePageKeys, usePageTouch } from './use-page-turning.ts';

/** How pages follow each other: one at a time, or all below each other. */
export type PageFlow = 'single' | 'continuous';

interface PdfDeskProps extends PagesProps {
	flow?: PageFlow;
	/** A tap in the middle of the page. */
	onTap?: () => void;
	/** Hears of a tap first; what it takes turns no page. */
	takesTap?: (tap: PageTap) => boolean;
	/** Going on from the last page, or back from the first; without it there is nothing beyond them. */
	onBeyond?: ((step: 1 | -1) => void) | undefined;
	/** The box with the pages, for what is selected in it. */
	boxRef?: RefObject<HTMLElement | null>;
}

/** The page on its desk: arrow keys, arrow zones, taps at the sides and swipes turn it. Give it a `data-page` tone above. */
export function PdfDesk(props: PdfDeskProps) {
	const { document: pdf, page, onPage, zoom, flow = 'single', onTap, takesTap, onBeyond, boxRef } = props;
	const ownBox = useRef<HTMLElement>(null);
	const scroll = boxRef ?? ownBox;
	const desk = useInnerSize(scroll);
	const shapes = usePageShapes(pdf, page, zoom === 'text');
	const isReady = desk.widthPx > 0 && (zoom !== 'text' || shapes.crop !== null);
	const turn = useCallback(
		(step: 1 | -1) => {
			const next = clampPage(page + step, pdf.numPages);
			if (next !== page) onPage(next);
			else onBeyond?.(step);
		},
		[page, pdf.numPages, onPage, onBeyond],
	);
	const goTo = useCallback(
		(end: 'first' | 'last') => onPage(end === 'first' ? 1 : pdf.numPages),
		[pdf.numPages, onPage],
	);
	usePageKeys(scroll, turn, goTo);
	const touch = usePageTouch(scroll, {
		turn,
		canSwipe: flow === 'single',
		onTap: (tap) => {
			if (takesTap?.(tap) === true) return;
			const step = flow === 'single' ? tapOf(tap.share) : 0;
			if (step === 0) onTap?.();
			else turn(step);
		},
	});
	const isZoomed = typeof zoom === 'number' && zoom > 1;

	return (
		<div className={classes.desk} data-flow={flow}>
			<TurnButton side="before" isOff={page <= 1 && onBeyond === undefined} onTurn={turn} />
			<section
				ref={scroll}
				className={classes.scroll}
				data-zoomed={isZoomed || undefined}
				data-pages=""
				// biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard.
				tabIndex={0}
				aria-label={m.reader_page()}
				{...touch}
			>
				{isReady &&
					(flow === 'continuous' ? (
						<PagesDown {...props} box={scroll} desk={desk} shapes={shapes} />
					) : (
						<OnePage {...props} box={scroll} desk={desk} shapes={shapes} />
					))}
			</section>
			<TurnButton side="after" isOff={page >= pdf.numPages && onBeyond === undefined} onTurn={turn} />
		</div>
	);
}

interface TurnButtonProps {
	side: 'before' | 'after';
	isOff: boolean;
	onTurn: (step: 1 | -1) => void;
}

function TurnButton({ side, isOff, onTurn }: TurnButtonProps) {
	const Icon = side === 'before' ? IconChevronLeft : IconChevronRight;
	return (
		<button
			type="button"
			className={classes.turn}
			data-side={side}
			aria-label={side === 'before' ? m.reader_previous_page() : m.reader_next_page()}
			aria-keyshortcuts={side === 'before' ? 'ArrowLeft' : 'ArrowRight'}
			disabled={isOff}
			onClick={() => onTurn(side === 'before' ? -1 : 1)}
		>
			<Icon {...iconProps} size={22} />
		</button>
	);
}

function OnePage(props: DeskPagesProps) {
	const { page, likely, offset = 0, onOffset, box } = props;
	const { widthPx, heightToWidth } = layPage(props, page);
	const begin = useRef({ page, offset });

	// A new page is read from its top; the first one from where it was left.
	// biome-ignore lint/correctness/useExhaustiveDependencies: another size of the same page is no new page.
	useLayoutEffect(() => {
		const from = begin.current.page === page ? begin.current.offset : 0;
		begin.current = { page: 0, offset: 0 };
		box.current?.scrollTo({ top: from * widthPx * heightToWidth, left: 0 });
	}, [page, box]);

	useEffect(() => {
		const element = box.current;
		if (element === null || onOffset === undefined) return;
		const tell = () => onOffset(page, Math.min(1, Math.max(0, element.scrollTop / (widthPx * heightToWidth))));
		element.addEventListener('scroll', tell, { passive: true });
		return () => element.removeEventListener('scroll', tell);
	}, [box, page, widthPx, heightToWidth, onOffset]);

	const following = useNextPage(page, props.document.numPages);
	const isSoon = likely != null && likely !== page;
	const next = isSoon ? likely : following;
	return (
		<DeskPage
			{...props}
			number={page}
			next={next === undefined ? undefined : { page: next, isSoon }}
			pixelsMost={canvasMaxPixels}
		/>
	);
}

/** The page that follows in the direction in which one turned last; undefined beyond the ends. */
function useNextPage(page: number, pageCount: number): number | undefined {
	const [seen, setSeen] = useState({ page, step: 1 });
	if (seen.page !== page) setSeen({ page, step: page < seen.page ? -1 : 1 });
	const next = page + (seen.page === page ? seen.step : Math.sign(page - seen.page));
	return next >= 1 && next <= pageCount ? next : undefined;
}

function useInnerSize(ref: { current: HTMLElement | null }): DeskSize {
	const [size, setSize] = useState<DeskSize>({ widthPx: 0, heightPx: 0 });
	useEffect(() => {
		const element = ref.current;
		if (element === null) return;
		const observer = new ResizeObserver(([entry]) => {
			if (entry === undefined) return;
			const { width, height } = entry.contentRect;
			setSize({ widthPx: Math.floor(width), heightPx: Math.floor(height) });
		});
		observer.observe(element);
		return () => observer.disconnect();
	}, [ref]);
	return size;
}
