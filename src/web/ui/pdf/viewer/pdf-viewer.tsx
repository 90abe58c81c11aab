import { Center } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { componentOnDemand } from '../../overlays/overlays-on-demand.tsx';
import { iconProps } from '../../primitives/icon.ts';
import { canvasMaxPixels, clampPage, type ViewportSize } from './page-size.ts';
import { layoutPage, type PagesProps, PdfPage, type ViewportPagesProps } from './pdf-page.tsx';
import classes from './pdf-viewer.module.css';
import { usePageDimensions } from './use-page-dimensions.ts';
import { type PageTap, tapDirection, usePageKeys, usePageTouch } from './use-page-navigation.ts';

/** The virtual list that it needs is as large as the rest of the viewer. */
const ContinuousPages = componentOnDemand(() => import('./continuous-pages.tsx'), 'ContinuousPages');

export type PageFlow = 'single' | 'continuous';

interface PdfViewerProps extends PagesProps {
	flow?: PageFlow;
	onTap?: () => void;
	/** Called before a tap turns the page. If the function returns true, the page is not turned. */
	interceptTap?: (tap: PageTap) => boolean;
	/** Called when the user turns past the first or last page. */
	onBeyond?: ((step: 1 | -1) => void) | undefined;
	/** Shown below the pages. */
	after?: ReactNode;
	/** The scrolling element, needed to find the selected text. */
	scrollBoxRef?: RefObject<HTMLElement | null>;
}

/** Keys, buttons, taps and swipes turn pages. An ancestor must have `data-page`, which selects the colours. */
export function PdfViewer(props: PdfViewerProps) {
	const {
		document: pdf,
		page,
		onPage,
		zoom,
		flow = 'single',
		onTap,
		interceptTap,
		onBeyond,
		after,
		scrollBoxRef,
	} = props;
	const ownBox = useRef<HTMLElement>(null);
	const box = scrollBoxRef ?? ownBox;
	const viewport = useContentSize(box);
	const dimensions = usePageDimensions(pdf, page, zoom === 'text');
	const turnPage = (step: 1 | -1) => {
		const next = clampPage(page + step, pdf.numPages);
		if (next !== page) onPage(next);
		else onBeyond?.(step);
	};
	usePageKeys({ box, turnPage, pageCount: pdf.numPages, onPage });
	const touch = usePageTouch(box, {
		turnPage,
		canSwipe: flow === 'single',
		onTap: (tap) => {
			if (interceptTap?.(tap) === true) return;
			const step = flow === 'single' ? tapDirection(tap.share) : 0;
			if (step === 0) onTap?.();
			else turnPage(step);
		},
	});
	const Pages = flow === 'continuous' ? ContinuousPages : SinglePage;

	return (
		<div className={classes.viewer} data-flow={flow}>
			<PageTurnButton side="before" disabled={page <= 1 && onBeyond === undefined} onClick={() => turnPage(-1)} />
			<section
				ref={box}
				className={classes.scroll}
				data-zoomed={(typeof zoom === 'number' && zoom > 1) || undefined}
				data-pages=""
				// biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard.
				tabIndex={0}
				aria-label={m.reader_page()}
				{...touch}
			>
				{viewport.widthPx > 0 && (zoom !== 'text' || dimensions.crop !== null) && (
					<>
						<Pages {...props} box={box} viewport={viewport} dimensions={dimensions} />
						{after && (
							<Center flex="0 0 100%" py={24}>
								{after}
							</Center>
						)}
					</>
				)}
			</section>
			<PageTurnButton
				side="after"
				disabled={page >= pdf.numPages && onBeyond === undefined}
				onClick={() => turnPage(1)}
			/>
		</div>
	);
}

function PageTurnButton(props: { side: 'before' | 'after'; disabled: boolean; onClick: () => void }) {
	const { side, ...rest } = props;
	const [Icon, label, key] =
		side === 'before'
			? [IconChevronLeft, m.reader_previous_page(), 'ArrowLeft']
			: [IconChevronRight, m.reader_next_page(), 'ArrowRight'];
	return (
		<button
			type="button"
			className={classes.pageTurn}
			data-side={side}
			aria-label={label}
			aria-keyshortcuts={key}
			{...rest}
		>
			<Icon {...iconProps} size={22} />
		</button>
	);
}

function SinglePage(props: ViewportPagesProps) {
	const { page, preloadPage, offset = 0, onOffset, box } = props;
	const { widthPx, heightToWidth } = layoutPage(props, page);
	const initialPosition = useRef({ page, offset });
	/** Whether the box may be scrolled. It may be at first, because the other flow uses the same box. */
	const isScrolled = useRef(true);

	// Scrolls the initial page to the stored position, and later pages to the top. If the box is not scrolled, the call
	// would only cause a layout before the new page is shown, which takes 2 of the 12 ms of processor time of a page turn.
	// biome-ignore lint/correctness/useExhaustiveDependencies: a changed size must not scroll the page.
	useLayoutEffect(() => {
		const from = initialPosition.current.page === page ? initialPosition.current.offset : 0;
		initialPosition.current = { page: 0, offset: 0 };
		if (from === 0 && !isScrolled.current) return;
		box.current?.scrollTo({ top: from * widthPx * heightToWidth, left: 0 });
		isScrolled.current = from > 0;
	}, [page, box]);

	useEffect(() => {
		const element = box.current;
		if (element === null) return;
		const onScroll = () => {
			const { scrollTop, scrollLeft } = element;
			isScrolled.current = scrollTop !== 0 || scrollLeft !== 0;
			onOffset?.(page, Math.min(1, Math.max(0, scrollTop / (widthPx * heightToWidth))));
		};
		element.addEventListener('scroll', onScroll, { passive: true });
		return () => element.removeEventListener('scroll', onScroll);
	}, [box, page, widthPx, heightToWidth, onOffset]);

	const following = useNextPage(page, props.document.numPages);
	const isSoon = preloadPage != null && preloadPage !== page;
	const next = isSoon ? preloadPage : following;
	return (
		<PdfPage
			{...props}
			number={page}
			next={next === undefined ? next : { page: next, isSoon }}
			pixelsMost={canvasMaxPixels}
		/>
	);
}

function useNextPage(page: number, pageCount: number): number | undefined {
	const [last, setLast] = useState({ page, step: 1 });
	if (last.page !== page) setLast({ page, step: page < last.page ? -1 : 1 });
	const next = page + (last.page === page ? last.step : Math.sign(page - last.page));
	return next >= 1 && next <= pageCount ? next : undefined;
}

function useContentSize(ref: RefObject<HTMLElement | null>): ViewportSize {
	const [size, setSize] = useState<ViewportSize>({ widthPx: 0, heightPx: 0 });
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
