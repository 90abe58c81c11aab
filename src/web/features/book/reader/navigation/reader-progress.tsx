import { Group } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconArrowBackUp } from '@tabler/icons-react';
import { type ComponentProps, type CSSProperties, useContext, useRef, useState } from 'react';
import { m } from '#messages';
import { useHeightVariable } from '#web/ui/hooks/viewport.ts';
import { percentRead } from '#web/ui/pdf/viewer/page-size.ts';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import classes from '../reader.module.css';
import { ReaderLabels } from '../reader-states.tsx';
import { PageJump } from './page-jump.tsx';

interface ReaderProgressProps extends ComponentProps<typeof PageJump> {
	/** Positions of the chapter starts on the bar, 0 to 1. */
	ticks: readonly number[];
	jumpOrigin: ReturnType<typeof useJumpHistory>['jumpOrigin'];
	minutesLeft: number | null;
}

/** During a drag, a page is loaded only when the thumb has not moved for this time. */
const dragSettleMs = 180;
const thumbPx = 16;

export function ReaderProgress(props: ReaderProgressProps) {
	const { ticks, jumpOrigin, minutesLeft, ...jump } = props;
	const { page, pageCount, onPage } = jump;
	const labels = useContext(ReaderLabels);
	const [dragged, setDragged] = useState<number | null>(null);
	const isPressed = useRef(false);
	const footer = useRef<HTMLElement>(null);
	// The notice about a lost connection uses this height to stay above the footer.
	useHeightVariable(footer, '--foot-room');
	const shown = dragged ?? page;
	const percent = percentRead(shown, pageCount);
	const open = useDebouncedCallback((to: number) => {
		setDragged(null);
		onPage(to);
	}, dragSettleMs);
	const release = () => {
		isPressed.current = false;
		open.flush();
	};

	return (
		<footer ref={footer} className={classes.footer}>
			<PageJump {...jump} page={shown} />
			{jumpOrigin !== null && (
				<button
					type="button"
					className={classes.jumpBack}
					aria-label={m.reader_back_to({ page: jumpOrigin.page })}
					title={m.reader_back_to({ page: jumpOrigin.page })}
					onClick={jumpOrigin.goBack}
				>
					<IconArrowBackUp {...smallIconProps} />
					{jumpOrigin.page}
				</button>
			)}
			<Group flex={1} gap={0} miw={0} pos="relative">
				<input
					type="range"
					className={classes.slider}
					style={{ '--done': `${percent}%` } as CSSProperties}
					min={1}
					max={Math.max(2, pageCount)}
					disabled={pageCount < 2}
					value={shown}
					aria-label={labels.progress()}
					aria-valuetext={m.reader_page_of({ page: shown, count: pageCount })}
					onPointerDown={() => {
						isPressed.current = true;
					}}
					onPointerUp={release}
					onPointerCancel={release}
					onChange={(event) => {
						const to = Number(event.currentTarget.value);
						if (!isPressed.current) return onPage(to);
						setDragged(to);
						open(to);
					}}
				/>
				{ticks.map((tick) => (
					<span
						key={tick}
						className={classes.tick}
						style={{ left: `calc(${thumbPx / 2}px + ${tick} * (100% - ${thumbPx}px))` }}
					/>
				))}
			</Group>
			<span>{m.reader_percent({ percent })}</span>
			{minutesLeft !== null && (
				<span className={classes.minutesLeft}>{m.reader_minutes_left({ count: minutesLeft })}</span>
			)}
		</footer>
	);
}

/** Allows returning to the page before a jump. Moving by a single page is not a jump. */
export function useJumpHistory(page: number, goTo: (page: number) => void) {
	const [from, setFrom] = useState<number | null>(null);
	const jumpTo = (to: number) => {
		if (Math.abs(to - page) > 1) setFrom(page);
		goTo(to);
	};
	const goBack = () => {
		if (from !== null) goTo(from);
		setFrom(null);
	};
	const jumpOrigin = from === null || from === page ? null : { page: from, goBack };
	return { jumpTo, jumpOrigin };
}
