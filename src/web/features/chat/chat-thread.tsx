// biome-ignore-all lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
import { IconArrowDown } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { ChatMessage, ChatSide } from '#contract/chat/chat.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { useLocale } from '#web/platform/locale.ts';
import { toastError } from '#web/platform/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { iconProps } from '#web/ui/icon.ts';
import { SaidBubble, UnsentBubble } from './chat-bubble.tsx';
import { type ChatLog, countTheirsAfter, isViewed, lastOf } from './chat-log.ts';
import type { ChatRoom, RoomView } from './chat-room.ts';
import { type ChatRow, rowsOf, wordsForDay } from './chat-rows.ts';
import classes from './chat-thread.module.css';
import type { ChatTarget } from './use-chat.ts';

const estimatedPx = 64;
/** So near the end counts as being there: less than half of the lowest bubble is hidden then. */
const endPx = 32;
/** A place is a whole number of the screen's own points, a size is none. */
const exactPx = 2;
/** Older and newer ones are asked for before the first or the last is reached. */
const aheadPx = 600;
/** So long what was looked for is marked. */
const markedMs = 4000;

const nothing: ChatLog['unsent'] = [];

interface ChatThreadProps {
	room: ChatRoom;
	view: RoomView;
	own: ChatSide;
	/** Who the other side is. */
	name: string;
	/** The message that one has looked for. */
	target: ChatTarget | null;
	onOpen: (message: ChatMessage) => void;
}

/** The messages, the newest at the foot; only those in the window are drawn, and the place is kept when older ones come. */
export function ChatThread({ room, view, own, name, target, onOpen }: ChatThreadProps) {
	const { log } = view;
	const locale = useLocale();
	const box = useRef<HTMLDivElement>(null);
	const rowsBox = useRef<HTMLDivElement>(null);
	const [isAtEnd, setAtEnd] = useState(true);
	const [leftAt, setLeftAt] = useState(0);
	/** Stands at the very newest, and stays there when the box or its rows change their size. */
	const isHeld = useRef(false);
	const last = lastOf(log);
	const before = useRef({ top: 0, height: 0, last });
	// What is still to be sent stands below the newest, and nowhere else.
	const unsent = log.isNewer ? nothing : log.unsent;
	// biome-ignore lint/correctness/useExhaustiveDependencies: days are written in the page's language.
	const rows = useMemo(() => rowsOf({ messages: log.messages, unsent }, own), [log.messages, unsent, own, locale]);
	const wasNewer = useRef(log.isNewer);
	const virtualizer = useVirtualizer({
		count: rows.length,
		estimateSize: () => estimatedPx,
		getItemKey: (index) => rows[index]?.key ?? index,
		getScrollElement: () => box.current,
		overscan: 8,
		paddingStart: 16,
		paddingEnd: 16,
		anchorTo: 'end',
		// Newer ones that were asked for from above are read from where one stands.
		followOnAppend: !wasNewer.current,
		scrollEndThreshold: endPx,
		initialRect: { width: 600, height: 600 },
	});
	const toEnd = useCallback(() => {
		isHeld.current = true;
		virtualizer.scrollToEnd();
	}, [virtualizer]);
	const isToEnd = useRef(false);
	useEffect(() => {
		wasNewer.current = log.isNewer;
		if (log.isNewer || !isToEnd.current) return;
		isToEnd.current = false;
		toEnd();
	}, [log.isNewer, toEnd]);
	function toNewest(): void {
		if (!log.isNewer) {
			toEnd();
			return;
		}
		isToEnd.current = true;
		room.goToNewest().catch((error: unknown) => {
			isToEnd.current = false;
			toastError(describeFailure(error).message);
		});
	}

	const isBegun = useRef(false);
	const marked = useTarget(target, rows, (index) => {
		isBegun.current = true;
		isHeld.current = false;
		virtualizer.scrollToIndex(index, { align: 'center' });
	});

	// It opens at its foot, and what one sends is seen.
	const sentLast = log.unsent.at(-1)?.clientId;
	const sentBefore = useRef(sentLast);
	useEffect(() => {
		const isSent = sentLast !== undefined && sentLast !== sentBefore.current;
		sentBefore.current = sentLast;
		if (rows.length === 0 || (isBegun.current && !isSent)) return;
		// From far above, the newest come first.
		if (isSent && log.isNewer) {
			isToEnd.current = true;
			return;
		}
		isBegun.current = true;
		toEnd();
	}, [rows.length, sentLast, log.isNewer, toEnd]);

	const isAtNewest = isAtEnd && !log.isNewer;
	/** Says where one stands, and tells of what is really on the screen as seen. */
	const measure = (element: HTMLDivElement) => {
		const { scrollTop: top, clientHeight: height } = element;
		const below = belowOf(element);
		if (below <= exactPx) isHeld.current = !log.isNewer;
		// A box that has become higher moves its rows too: nobody has turned away from the newest by that.
		else if (top < before.current.top && height === before.current.height) isHeld.current = false;
		const isEnd = below <= endPx;
		if (isAtEnd && !isEnd) setLeftAt(before.current.last);
		before.current = { top, height, last: isEnd ? last : before.current.last };
		setAtEnd(isEnd);
		if (isEnd && height > 0 && !log.isNewer && document.visibilityState === 'visible') room.look();
	};
	const settle = useEffectEvent(() => {
		const element = box.current;
		if (element === null) return;
		if (isHeld.current && !log.isNewer && belowOf(element) > 0) element.scrollTop = element.scrollHeight;
		measure(element);
	});
	const onScroll = () => {
		const element = box.current;
		if (element === null) return;
		measure(element);
		if (!isBegun.current) return;
		if (element.scrollTop < aheadPx && !view.isOlderFailed) void room.fetchOlder();
		if (belowOf(element) < aheadPx && log.isNewer && !view.isNewerFailed) void room.fetchNewer();
	};
	useEffect(() => {
		const observer = new ResizeObserver(() => settle());
		for (const element of [box.current, rowsBox.current]) if (element !== null) observer.observe(element);
		return () => observer.disconnect();
	}, []);
	// Too few to scroll: there is no other way to the others.
	useEffect(() => {
		const element = box.current;
		if (element === null || element.scrollHeight > element.clientHeight) return;
		if (log.isOlder && !view.isOlderFailed) void room.fetchOlder();
		if (log.isNewer && !view.isNewerFailed) void room.fetchNewer();
	}, [log.isOlder, log.isNewer, view.isOlderFailed, view.isNewerFailed, room]);

	// biome-ignore lint/correctness/useExhaustiveDependencies: each new message is looked at anew.
	useEffect(() => settle(), [last, log.isNewer, log.viewedThrough, room]);
	useEffect(() => {
		const look = () => settle();
		document.addEventListener('visibilitychange', look);
		return () => document.removeEventListener('visibilitychange', look);
	}, []);

	const unseen = isAtNewest ? 0 : countTheirsAfter(log, own, leftAt);
	return (
		<div className={classes.frame}>
			<div
				ref={box}
				className={classes.box}
				onScroll={onScroll}
				tabIndex={0}
				role="log"
				aria-live="off"
				aria-label={m.chat_conversation_with({ name })}
			>
				{view.isFetchingOlder && (
					<p className={classes.older} role="status">
						{m.chat_older_loading()}
					</p>
				)}
				{view.isOlderFailed && (
					<div className={classes.older} role="alert">
						{m.chat_older_failed()}{' '}
						<Button size="small" onClick={() => void room.fetchOlder()}>
							{m.common_retry()}
						</Button>
					</div>
				)}
				<div ref={rowsBox} className={classes.rows} style={{ height: virtualizer.getTotalSize() }}>
					{virtualizer.getVirtualItems().map(({ index, key, start }) => {
						const row = rows[index];
						return (
							row && (
								<div
									key={key}
									ref={virtualizer.measureElement}
									data-index={index}
									className={classes.slot}
									style={{ transform: `translateY(${start}px)` }}
								>
									{row.day !== null && <p className={classes.day}>{wordsForDay(row.day)}</p>}
									<Row
										row={row}
										isMarked={row.kind === 'message' && row.message.sequence === marked}
										room={room}
										view={view}
										own={own}
										name={name}
										onOpen={onOpen}
									/>
								</div>
							)
						);
					})}
				</div>
			</div>
			{view.isNewerFailed && (
				<div className={classes.later} role="alert">
					{m.chat_newer_failed()}{' '}
					<Button size="small" onClick={() => void room.fetchNewer()}>
						{m.common_retry()}
					</Button>
				</div>
			)}
			{!isAtNewest && (
				<Button
					className={classes.newest}
					icon={<IconArrowDown {...iconProps} />}
					aria-label={unseen === 0 ? m.chat_newest() : m.chat_newest_count({ count: unseen })}
					title={m.chat_newest()}
					onClick={toNewest}
				>
					{unseen === 0 ? '' : String(unseen)}
				</Button>
			)}
		</div>
	);
}

/** How much of a box lies below its lower edge. */
function belowOf({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
	return scrollHeight - scrollTop - clientHeight;
}

/** Brings what one has looked for before the eyes as soon as it stands there. @returns its sequence while it is marked */
function useTarget(
	target: ChatTarget | null,
	rows: readonly ChatRow[],
	onThere: (index: number) => void,
): number | null {
	const [marked, setMarked] = useState<number | null>(null);
	const reached = useRef<ChatTarget | null>(null);
	useEffect(() => {
		if (target === null || reached.current === target) return;
		const index = rows.findIndex((row) => row.kind === 'message' && row.message.sequence === target.sequence);
		if (index < 0) return;
		reached.current = target;
		onThere(index);
		setMarked(target.sequence);
	});
	useEffect(() => {
		if (marked === null) return;
		const timer = window.setTimeout(() => setMarked(null), markedMs);
		return () => window.clearTimeout(timer);
	}, [marked]);
	return marked;
}

type RowProps = Omit<ChatThreadProps, 'target'> & { row: ChatRow; isMarked: boolean };

function Row({ row, isMarked, room, view, own, name, onOpen }: RowProps) {
	if (row.kind === 'unsent') {
		const { unsent } = row;
		return (
			<UnsentBubble
				unsent={unsent}
				isFirst={row.isFirst}
				file={room.fileOf(unsent.clientId)}
				onRetry={room.canRetry(unsent.clientId) ? () => room.retry(unsent.clientId) : null}
				onDelete={() => room.drop(unsent.clientId)}
			/>
		);
	}
	const isOwn = row.message.sender === own;
	return (
		<SaidBubble
			message={row.message}
			isOwn={isOwn}
			isFirst={row.isFirst}
			isViewed={isViewed(view.log, row.message)}
			isMarked={isMarked}
			speaker={isOwn ? m.chat_you() : name}
			onOpen={onOpen}
		/>
	);
}
