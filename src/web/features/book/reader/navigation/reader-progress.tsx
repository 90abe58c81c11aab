import { IconArrowBackUp } from '@tabler/icons-react';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { useHeightVariable } from '#web/ui/hooks/viewport.ts';
import { percentRead } from '#web/ui/pdf/viewer/page-size.ts';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { useReaderLabels } from '../reader-labels.ts';
import { PageJump } from './page-jump.tsx';
import classes from './reader-progress.module.css';
import type { JumpOrigin } from './use-jump-history.ts';

interface ReaderProgressProps {
	page: number;
	pageCount: number;
	/** Beginnings of chapters along the bar, 0 to 1. */
	ticks: readonly number[];
	onPage: (page: number) => void;
	/** Hears of a page that one is about to go to; null while there is none. */
	onPreload: (page: number | null) => void;
	/** Where one came from by a jump; null where nowhere. */
	jumpOrigin: JumpOrigin | null;
	/** Of the chapter; null where nothing can be said. */
	minutesLeft: number | null;
	/** Whether another page's number is being asked for. */
	isJumping: boolean;
	onJumping: (is: boolean) => void;
}

/** While the thumb is dragged, pages are only counted; the one it rests on is fetched. */
const dragSettleMs = 180;
const thumbPx = 16;

/** Below the page: where in the book one is, and a slider to go elsewhere. */
export function ReaderProgress(props: ReaderProgressProps) {
	const {
		page,
		pageCount,
		ticks,
		onPage,
		onPreload: onLikely,
		jumpOrigin: before,
		minutesLeft,
		isJumping,
		onJumping,
	} = props;
	const labels = useReaderLabels();
	const [dragged, setDragged] = useState<number | null>(null);
	const isPressed = useRef(false);
	const footer = useRef<HTMLElement>(null);
	// The word that there is no line stands above it.
	useHeightVariable(footer, '--foot-room');
	const shown = dragged ?? page;
	const percent = percentRead(shown, pageCount);
	const settle = () => {
		isPressed.current = false;
		if (dragged === null) return;
		setDragged(null);
		onPage(dragged);
	};

	useEffect(() => {
		if (dragged === null) return;
		const timer = window.setTimeout(() => {
			setDragged(null);
			onPage(dragged);
		}, dragSettleMs);
		return () => window.clearTimeout(timer);
	}, [dragged, onPage]);

	return (
		<footer ref={footer} className={classes.footer}>
			<PageJump
				page={shown}
				pageCount={pageCount}
				onPage={onPage}
				onPreload={onLikely}
				isOpen={isJumping}
				onOpen={onJumping}
			/>
			{before !== null && (
				<button
					type="button"
					className={classes.jumpBack}
					aria-label={m.reader_back_to({ page: before.page })}
					title={m.reader_back_to({ page: before.page })}
					onClick={before.goBack}
				>
					<IconArrowBackUp {...smallIconProps} />
					{before.page}
				</button>
			)}
			<div className={classes.rail}>
				<input
					type="range"
					className={classes.slider}
					style={{ '--done': `${percent}%` } as CSSProperties}
					min={1}
					max={Math.max(2, pageCount)}
					disabled={pageCount < 2}
					value={shown}
					aria-label={labels.progress}
					aria-valuetext={m.reader_page_of({ page: shown, count: pageCount })}
					onPointerDown={() => {
						isPressed.current = true;
					}}
					onPointerUp={settle}
					onPointerCancel={settle}
					onChange={(event) => {
						const to = Number(event.currentTarget.value);
						if (isPressed.current) setDragged(to);
						else onPage(to);
					}}
				/>
				{ticks.map((tick) => (
					<span
						key={tick}
						className={classes.tick}
						style={{ left: `calc(${thumbPx / 2}px + ${tick} * (100% - ${thumbPx}px))` }}
					/>
				))}
			</div>
			<span>{m.reader_percent({ percent })}</span>
			{minutesLeft !== null && (
				<span className={classes.minutesLeft}>{m.reader_minutes_left({ count: minutesLeft })}</span>
			)}
		</footer>
	);
}
