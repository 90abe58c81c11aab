import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { ChatShow } from '#contract/chat/chat.ts';
import { m } from '#messages';
import { formatCount, formatShortDate, formatTime, isToday } from '#web/platform/format.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Count } from '#web/ui/badge.tsx';
import { ChipFilter } from '#web/ui/chip-filter.tsx';
import { EmptyState, FailedQuery } from '#web/ui/faces.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { SkeletonLines } from '#web/ui/skeleton.tsx';
import {
	type ChatPersonFound,
	type ChatSummary,
	type ChatsSearch,
	chatsAddress,
	useChats,
	usePeopleBeside,
} from './chat.api.ts';
import classes from './chat-list.module.css';
import { ChatListPeople } from './chat-list-people.tsx';
import { wordsForDay } from './chat-rows.ts';
import { useTypingPeople } from './use-typing-people.ts';

/** A row in text of the usual size; one in larger text is measured. */
const rowPx = 64;

type Filter = Pick<ChatsSearch, 'q' | 'show'>;

interface ChatListProps extends Filter {
	/** Address of whose conversation is open, '' for none. */
	chosen: string;
	onSearch: (q: string) => void;
	onShow: (show: ChatShow) => void;
}

/** Everybody who has written or was written to, newest first; only the rows in the window are drawn. */
export function ChatList({ chosen, q, show, onSearch, onShow }: ChatListProps) {
	const chats = useChats({ q, show });
	const items = chats.data?.pages.flatMap((page) => page.items) ?? [];
	const isAll = show === 'all' && chats.isSuccess && !chats.hasNextPage && !chats.isPlaceholderData;
	const people = usePeopleBeside(q, { found: items, isAll });
	const unread = chats.data?.pages[0]?.unread ?? 0;
	return (
		<section className={classes.list} aria-label={m.chat_list()}>
			<div className={classes.search}>
				<SearchField label={m.chat_search()} value={q} onChange={onSearch} />
				<ChipFilter
					label={m.chat_show()}
					value={show}
					onChange={onShow}
					choices={[
						{ value: 'all', label: m.chat_show_all() },
						{
							value: 'unread',
							label: m.chat_show_unread(),
							count: unread === 0 ? undefined : formatCount(unread),
						},
						{ value: 'buyers', label: m.chat_show_buyers() },
					]}
				/>
			</div>
			{chats.data === undefined ? (
				chats.isError ? (
					<FailedQuery text={m.chat_list_failed()} query={chats} />
				) : (
					<div className={classes.skeleton}>
						<SkeletonLines label={m.chat_list_loading()} count={6} height="56px" />
					</div>
				)
			) : (
				<Rows
					key={`${show} ${q}`}
					items={items}
					people={people}
					chosen={chosen}
					q={q}
					show={show}
					isBusy={chats.isPlaceholderData}
					onEnd={() => {
						if (chats.hasNextPage && !chats.isFetchingNextPage) void chats.fetchNextPage();
					}}
				/>
			)}
		</section>
	);
}

interface RowsProps extends Filter {
	items: readonly ChatSummary[];
	people: readonly ChatPersonFound[];
	chosen: string;
	isBusy: boolean;
	onEnd: () => void;
}

function Rows(props: RowsProps) {
	const { people, chosen, q, show, isBusy, onEnd } = props;
	const items = useOpenedKept(props);
	const box = useRef<HTMLDivElement>(null);
	const typing = useTypingPeople();
	const virtualizer = useVirtualizer({
		count: items.length,
		estimateSize: () => rowPx,
		getItemKey: (index) => items[index]?.userId ?? index,
		getScrollElement: () => box.current,
		overscan: 6,
		initialRect: { width: 304, height: 800 },
	});
	const rows = virtualizer.getVirtualItems();
	const isAtEnd = (rows.at(-1)?.index ?? -1) >= items.length - 1;
	useEffect(() => {
		if (isAtEnd && items.length > 0) onEnd();
	});
	if (items.length === 0 && people.length === 0) return <EmptyState text={wordsForNone(q, show)} />;
	return (
		<div ref={box} className={classes.box} aria-busy={isBusy}>
			<ul className={classes.rows} style={{ height: virtualizer.getTotalSize() }}>
				{rows.map(({ index, key, start }) => {
					const chat = items[index];
					return (
						chat && (
							<li
								key={key}
								aria-setsize={items.length}
								aria-posinset={index + 1}
								ref={virtualizer.measureElement}
								data-index={index}
								className={classes.slot}
								style={{ transform: `translateY(${start}px)` }}
							>
								<ChatLine
									chat={chat}
									isChosen={chat.email.toLowerCase() === chosen.toLowerCase()}
									isTyping={typing.has(chat.userId)}
									q={q}
									show={show}
								/>
							</li>
						)
					);
				})}
			</ul>
			{people.length > 0 && <ChatListPeople people={people} chosen={chosen} q={q} />}
		</div>
	);
}

/** In 'Unread', the conversation that was opened there stays in its place, though it is read now. */
function useOpenedKept({ items, chosen, q, show, isBusy }: RowsProps): readonly ChatSummary[] {
	const [opened, setOpened] = useState<{ email: string; index: number }>();
	const isChosen = ({ email }: { email: string }) => email.toLowerCase() === chosen.toLowerCase();
	const index = items.findIndex(isChosen);
	useEffect(() => {
		if (show === 'unread' && !isBusy && index >= 0) setOpened({ email: chosen, index });
	}, [show, isBusy, index, chosen]);
	const isKept = opened !== undefined && opened.email === chosen;
	const all = useChats({ q, show: 'all' }, isKept);
	const chat = all.data?.pages.flatMap((page) => page.items).find(isChosen);
	return isKept && index < 0 && chat !== undefined ? items.toSpliced(opened.index, 0, chat) : items;
}

function wordsForNone(q: string, show: ChatShow): string {
	if (q.trim() !== '') return m.chat_list_none();
	if (show === 'unread') return m.chat_list_no_unread();
	return show === 'buyers' ? m.chat_list_no_buyers() : m.chat_list_empty();
}

interface ChatLineProps extends Filter {
	chat: ChatSummary;
	isChosen: boolean;
	isTyping: boolean;
}

function ChatLine({ chat, isChosen, isTyping, q, show }: ChatLineProps) {
	const { found } = chat;
	const at = found?.at ?? chat.lastAt;
	return (
		<Link
			to="."
			search={chatsAddress({ person: chat.email, q, show, message: found?.sequence ?? 0 })}
			className={classes.chat}
			data-chat=""
			aria-current={isChosen ? 'true' : undefined}
			data-unread={chat.unread > 0 || undefined}
		>
			<Avatar name={chat.name} email={chat.email} />
			<span className={classes.words}>
				<span className={classes.line}>
					<bdi className={classes.name}>{chat.name ?? chat.email}</bdi>
					<time className={classes.when} dateTime={at}>
						{whenOf(at)}
					</time>
				</span>
				<span className={classes.line}>
					<LastWords chat={chat} isTyping={isTyping} />
					{chat.unread > 0 && <Count count={chat.unread} label={m.chat_unread({ count: chat.unread })} />}
				</span>
			</span>
		</Link>
	);
}

/** What was found, else that somebody is typing, else the newest message. */
function LastWords({ chat, isTyping }: Pick<ChatLineProps, 'chat' | 'isTyping'>) {
	const { found, lastMessage } = chat;
	if (found !== null) {
		return (
			<span className={classes.last} dir="auto">
				{found.before}
				<mark className={classes.hit}>{found.hit}</mark>
				{found.after}
			</span>
		);
	}
	if (isTyping) return <span className={classes.typing}>{m.chat_list_typing()}</span>;
	const { sender, isPhoto } = lastMessage;
	const text = isPhoto ? m.chat_last_photo({ name: lastMessage.text }) : lastMessage.text;
	return (
		<span className={classes.last} dir="auto">
			{sender === 'admin' ? m.chat_last_own({ text }) : text}
		</span>
	);
}

const dayMs = 24 * 60 * 60 * 1000;

function whenOf(at: string): string {
	if (isToday(at)) return formatTime(at);
	return isToday(at, new Date(Date.now() - dayMs)) ? wordsForDay(at) : formatShortDate(at);
}
