// biome-ignore-all lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
import { Box } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { IconArrowDown } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { ChatMessage, ChatSide } from '#contract/chat/chat.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { toastError } from '#web/platform/browser/toasts.ts';
import { useLocale } from '#web/platform/formats/locale.ts';
import virtual from '#web/ui/data/virtual-rows.module.css';
import { Button } from '#web/ui/primitives/button.tsx';
import { type ChatLog, countReceivedAfter, lastShownSequence } from '../state/chat-log.ts';
import type { ConversationStore, ConversationView } from '../state/conversation-store.ts';
import type { ChatTarget } from '../state/use-conversation.ts';
import { SentBubble, UnsentBubble } from './chat-bubble.tsx';
import { buildRows, type ChatRow, dayLabel } from './chat-rows.ts';
import classes from './conversation.module.css';

const estimatedRowPx = 64;
/** Within this distance of its end, the thread is considered to be at its end. */
const endThresholdPx = 32;
/** Tolerance, because scroll positions are rounded to whole device pixels and sizes are not. */
const roundingPx = 2;
/** Within this distance of the first or last row, more messages are loaded. */
const prefetchPx = 600;
const highlightMs = 4000;

const noUnsent: ChatLog['unsent'] = [];

interface ChatThreadProps {
	store: ConversationStore;
	view: ConversationView;
	own: ChatSide;
	name: string;
	/** The message that was selected in a search; null for none. */
	target: ChatTarget | null;
	onOpen: (message: ChatMessage) => void;
}

/** Renders only visible rows. Loading older messages does not move the visible rows. */
export function ChatThread({ store, view, own, name, target, onOpen }: ChatThreadProps) {
	const { log } = view;
	const locale = useLocale();
	const box = useRef<HTMLDivElement>(null);
	const rowsBox = useRef<HTMLDivElement>(null);
	const [isAtEnd, setAtEnd] = useState(true);
	const [lastSeenSequence, setLastSeenSequence] = useState(0);
	/** Whether the thread stays at the newest message when the box or its rows change size. */
	const isPinnedToEnd = useRef(false);
	const last = lastShownSequence(log);
	const before = useRef({ top: 0, height: 0, last });
	// Unsent messages are shown only below the newest message.
	const unsent = log.isNewer ? noUnsent : log.unsent;
	// biome-ignore lint/correctness/useExhaustiveDependencies: day marks depend on the page's language.
	const rows = useMemo(() => buildRows({ messages: log.messages, unsent }, own), [log.messages, unsent, own, locale]);
	const hadNewer = useRef(log.isNewer);
	const virtualizer = useVirtualizer({
		count: rows.length,
		estimateSize: () => estimatedRowPx,
		getItemKey: (index) => rows[index]?.key ?? index,
		getScrollElement: () => box.current,
		overscan: 8,
		paddingStart: 16,
		paddingEnd: 16,
		anchorTo: 'end',
		// A page of newer messages does not change the scroll position.
		followOnAppend: !hadNewer.current,
		scrollEndThreshold: endThresholdPx,
		initialRect: { width: 600, height: 600 },
	});
	const pinToEnd = useCallback(() => {
		isPinnedToEnd.current = true;
		virtualizer.scrollToEnd();
	}, [virtualizer]);
	const shouldScrollToEnd = useRef(false);
	useEffect(() => {
		hadNewer.current = log.isNewer;
		if (log.isNewer || !shouldScrollToEnd.current) return;
		shouldScrollToEnd.current = false;
		pinToEnd();
	}, [log.isNewer, pinToEnd]);
	function showNewest(): void {
		if (!log.isNewer) {
			pinToEnd();
			return;
		}
		shouldScrollToEnd.current = true;
		store.goToNewest().catch((error: unknown) => {
			shouldScrollToEnd.current = false;
			toastError(describeFailure(error).message);
		});
	}

	const hasScrolledInitially = useRef(false);
	const highlighted = useScrollToTarget(target, rows, (index) => {
		hasScrolledInitially.current = true;
		isPinnedToEnd.current = false;
		virtualizer.scrollToIndex(index, { align: 'center' });
	});

	// The thread opens at its end, and scrolls to a message that the user sends.
	const sentLast = log.unsent.at(-1)?.clientId;
	const sentBefore = useRef(sentLast);
	useEffect(() => {
		const isSent = sentLast !== undefined && sentLast !== sentBefore.current;
		sentBefore.current = sentLast;
		if (rows.length === 0 || (hasScrolledInitially.current && !isSent)) return;
		// The newest messages must be loaded first.
		if (isSent && log.isNewer) {
			shouldScrollToEnd.current = true;
			return;
		}
		hasScrolledInitially.current = true;
		pinToEnd();
	}, [rows.length, sentLast, log.isNewer, pinToEnd]);

	const isAtNewest = isAtEnd && !log.isNewer;
	/** Stores the scroll position. If the newest message is visible, reports all messages as viewed. */
	const measure = (element: HTMLDivElement) => {
		const { scrollTop: top, clientHeight: height } = element;
		const below = distanceToEnd(element);
		if (below <= roundingPx) isPinnedToEnd.current = !log.isNewer;
		// A change of the height also changes `scrollTop`, but the user has not scrolled.
		else if (top < before.current.top && height === before.current.height) isPinnedToEnd.current = false;
		const isEnd = below <= endThresholdPx;
		if (isAtEnd && !isEnd) setLastSeenSequence(before.current.last);
		before.current = { top, height, last: isEnd ? last : before.current.last };
		setAtEnd(isEnd);
		if (isEnd && height > 0 && !log.isNewer && document.visibilityState === 'visible') store.reportShown();
	};
	const updateScroll = useEffectEvent(() => {
		const element = box.current;
		if (element === null) return;
		if (isPinnedToEnd.current && !log.isNewer && distanceToEnd(element) > 0) element.scrollTop = element.scrollHeight;
		measure(element);
	});
	const onScroll = () => {
		const element = box.current;
		if (element === null) return;
		measure(element);
		if (!hasScrolledInitially.current) return;
		if (element.scrollTop < prefetchPx && !view.older.isFailed) void store.fetchOlder();
		if (distanceToEnd(element) < prefetchPx && log.isNewer && !view.newer.isFailed) void store.fetchNewer();
	};
	useEffect(() => {
		const observer = new ResizeObserver(() => updateScroll());
		for (const element of [box.current, rowsBox.current]) if (element !== null) observer.observe(element);
		return () => observer.disconnect();
	}, []);
	// If there are too few messages to scroll, no scroll event loads more.
	useEffect(() => {
		const element = box.current;
		if (element === null || element.scrollHeight > element.clientHeight) return;
		if (log.isOlder && !view.older.isFailed) void store.fetchOlder();
		if (log.isNewer && !view.newer.isFailed) void store.fetchNewer();
	}, [log.isOlder, log.isNewer, view.older.isFailed, view.newer.isFailed, store]);

	const visibility = useDocumentVisibility();
	// biome-ignore lint/correctness/useExhaustiveDependencies: runs again for each new message, and when the page is shown.
	useEffect(() => updateScroll(), [last, log.isNewer, log.viewedThrough, store, visibility]);

	const unseen = isAtNewest ? 0 : countReceivedAfter(log, own, lastSeenSequence);
	return (
		<Box pos="relative" flex={1} mih={0}>
			<div
				ref={box}
				className={classes.box}
				onScroll={onScroll}
				tabIndex={0}
				role="log"
				aria-live="off"
				aria-label={m.chat_conversation_with({ name })}
			>
				{view.older.isFetching && (
					<p className={classes.older} role="status">
						{m.chat_older_loading()}
					</p>
				)}
				{view.older.isFailed && (
					<div className={classes.older} role="alert">
						{m.chat_older_failed()}{' '}
						<Button size="small" onClick={() => void store.fetchOlder()}>
							{m.common_retry()}
						</Button>
					</div>
				)}
				<div ref={rowsBox} className={virtual.rows} style={{ height: virtualizer.getTotalSize() }}>
					{virtualizer.getVirtualItems().map(({ index, key, start }) => {
						const row = rows[index];
						return (
							row && (
								<div
									key={key}
									ref={virtualizer.measureElement}
									data-index={index}
									className={virtual.slot}
									style={{ transform: `translateY(${start}px)` }}
								>
									{row.day !== null && <p className={classes.day}>{dayLabel(row.day)}</p>}
									{row.kind === 'unsent' ? (
										<UnsentBubble row={row} store={store} />
									) : (
										<SentBubble
											row={row}
											log={log}
											own={own}
											name={name}
											isHighlighted={row.message.sequence === highlighted}
											onOpen={onOpen}
										/>
									)}
								</div>
							)
						);
					})}
				</div>
			</div>
			{view.newer.isFailed && (
				<div className={classes.later} role="alert">
					{m.chat_newer_failed()}{' '}
					<Button size="small" onClick={() => void store.fetchNewer()}>
						{m.common_retry()}
					</Button>
				</div>
			)}
			{!isAtNewest && (
				<Button
					className={classes.newest}
					icon={IconArrowDown}
					aria-label={unseen === 0 ? m.chat_newest() : m.chat_newest_count({ count: unseen })}
					title={m.chat_newest()}
					onClick={showNewest}
				>
					{unseen === 0 ? '' : String(unseen)}
				</Button>
			)}
		</Box>
	);
}

/** In CSS px. */
function distanceToEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
	return scrollHeight - scrollTop - clientHeight;
}

/** Scrolls to a search match after it is rendered. Returns its sequence number while the match is highlighted. */
function useScrollToTarget(
	target: ChatTarget | null,
	rows: readonly ChatRow[],
	onReached: (index: number) => void,
): number | null {
	const [highlighted, setHighlighted] = useState<number | null>(null);
	const reached = useRef<ChatTarget | null>(null);
	useEffect(() => {
		if (target === null || reached.current === target) return;
		const index = rows.findIndex((row) => row.kind === 'message' && row.message.sequence === target.sequence);
		if (index < 0) return;
		reached.current = target;
		onReached(index);
		setHighlighted(target.sequence);
	});
	useEffect(() => {
		if (highlighted === null) return;
		const timer = window.setTimeout(() => setHighlighted(null), highlightMs);
		return () => window.clearTimeout(timer);
	}, [highlighted]);
	return highlighted;
}
