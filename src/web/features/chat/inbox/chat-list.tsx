import { Box, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { UserSummary } from '#contract/accounts/administration.ts';
import type { ChatFilter, ChatSummary } from '#contract/chat/chat.ts';
import { m } from '#messages';
import { formatCount, formatShortDate, formatTime, isToday } from '#web/platform/formats/format.ts';
import virtual from '#web/ui/data/virtual-rows.module.css';
import { ChipFilter } from '#web/ui/forms/chip-filter.tsx';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { Avatar } from '#web/ui/primitives/avatar.tsx';
import { CountBadge } from '#web/ui/primitives/badge.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { EmptyState, FailedQuery } from '#web/ui/states/states.tsx';
import { type ChatsSearch, chatsAddress, useChats, useUsersWithoutChat } from '../chat-api.ts';
import { dayLabel } from '../conversation/chat-rows.ts';
import { useTypingUsers } from '../state/use-typing-users.ts';
import classes from './chat-list.module.css';

/** Estimated height of a row. The real height depends on the font size. */
const rowPx = 64;

type Filter = Pick<ChatsSearch, 'q' | 'show'>;

interface ChatListProps extends Filter {
	/** Email of the user whose conversation is open; '' for none. */
	chosen: string;
	onSearch: (q: string) => void;
	onShow: (show: ChatFilter) => void;
}

/** Newest conversation first. Only visible rows are rendered. */
export function ChatList({ chosen, q, show, onSearch, onShow }: ChatListProps) {
	const chats = useChats({ q, show });
	const items = chats.data?.pages.flatMap((page) => page.items) ?? [];
	const hasAllChats = show === 'all' && chats.isSuccess && !chats.hasNextPage && !chats.isPlaceholderData;
	const users = useUsersWithoutChat(q, { found: items, isAll: hasAllChats });
	const unread = chats.data?.pages[0]?.unread ?? 0;
	return (
		<Stack component="section" gap={0} miw={0} mih={0} aria-label={m.chat_list()}>
			<Stack gap={12} className={classes.search}>
				<SearchField label={m.chat_search()} value={q} onChange={onSearch} />
				<ChipFilter
					label={m.chat_show()}
					value={show}
					onChange={onShow}
					choices={[
						{ value: 'all', label: m.chat_show_all() },
						{ value: 'unread', label: m.chat_show_unread(), count: unread === 0 ? undefined : formatCount(unread) },
						{ value: 'buyers', label: m.chat_show_buyers() },
					]}
				/>
			</Stack>
			{chats.data === undefined ? (
				chats.isError ? (
					<FailedQuery text={m.chat_list_failed()} query={chats} />
				) : (
					<Box p={16}>
						<SkeletonLines label={m.chat_list_loading()} count={6} height="56px" />
					</Box>
				)
			) : (
				<Rows
					key={`${show} ${q}`}
					items={items}
					users={users}
					chosen={chosen}
					q={q}
					show={show}
					isBusy={chats.isPlaceholderData}
					onEnd={() => {
						if (chats.hasNextPage && !chats.isFetchingNextPage) void chats.fetchNextPage();
					}}
				/>
			)}
		</Stack>
	);
}

interface RowsProps extends Filter {
	items: readonly ChatSummary[];
	users: readonly UserSummary[];
	chosen: string;
	isBusy: boolean;
	onEnd: () => void;
}

function Rows(props: RowsProps) {
	const { users, chosen, q, show, isBusy, onEnd } = props;
	const items = useKeepOpenedVisible(props);
	const box = useRef<HTMLDivElement>(null);
	const typing = useTypingUsers('user');
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
	if (items.length === 0 && users.length === 0) return <EmptyState text={emptyText(q, show)} />;
	return (
		<div ref={box} className={classes.box} aria-busy={isBusy}>
			<ul className={virtual.rows} style={{ height: virtualizer.getTotalSize() }}>
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
								className={virtual.slot}
								style={{ transform: `translateY(${start}px)` }}
							>
								<ChatListRow chat={chat} chosen={chosen} isTyping={typing.has(chat.userId)} q={q} show={show} />
							</li>
						)
					);
				})}
			</ul>
			{users.length > 0 && <UsersWithoutChat users={users} chosen={chosen} q={q} />}
		</div>
	);
}

/** With the filter 'Unread', the open conversation stays in the list after it was read. */
function useKeepOpenedVisible({ items, chosen, q, show, isBusy }: RowsProps): readonly ChatSummary[] {
	const [opened, setOpened] = useState<{ email: string; index: number }>();
	const isChosen = ({ email }: ChatSummary) => isSameEmail(email, chosen);
	const index = items.findIndex(isChosen);
	useEffect(() => {
		if (show === 'unread' && !isBusy && index >= 0) setOpened({ email: chosen, index });
	}, [show, isBusy, index, chosen]);
	const isStillOpen = opened !== undefined && opened.email === chosen;
	const all = useChats({ q, show: 'all' }, isStillOpen);
	const chat = all.data?.pages.flatMap((page) => page.items).find(isChosen);
	return isStillOpen && index < 0 && chat !== undefined ? items.toSpliced(opened.index, 0, chat) : items;
}

function emptyText(q: string, show: ChatFilter): string {
	if (q.trim() !== '') return m.chat_list_none();
	if (show === 'unread') return m.chat_list_no_unread();
	return show === 'buyers' ? m.chat_list_no_buyers() : m.chat_list_empty();
}

interface ChatListRowProps extends Filter {
	chat: ChatSummary;
	chosen: string;
	isTyping: boolean;
}

function ChatListRow({ chat, chosen, isTyping, q, show }: ChatListRowProps) {
	const { email, name, found, unread } = chat;
	const at = found?.at ?? chat.lastAt;
	return (
		<UserLink
			user={chat}
			chosen={chosen}
			search={{ person: email, q, show, message: found?.sequence ?? 0 }}
			isUnread={unread > 0}
		>
			<span className={classes.line}>
				<bdi className={classes.name}>{name ?? email}</bdi>
				<time className={classes.when} dateTime={at}>
					{shortTime(at)}
				</time>
			</span>
			<span className={classes.line}>
				<LastMessage chat={chat} isTyping={isTyping} />
				<CountBadge count={unread} label={m.chat_unread({ count: unread })} />
			</span>
		</UserLink>
	);
}

function UsersWithoutChat({ users, chosen, q }: Pick<RowsProps, 'users' | 'chosen' | 'q'>) {
	const headingId = useId();
	return (
		<section aria-labelledby={headingId}>
			<Box component="h3" id={headingId} p="16px 16px 8px" c="dimmed" fz="var(--text-13)" fw={600}>
				{m.chat_list_users()}
			</Box>
			<ul>
				{users.map((user) => (
					<li key={user.id}>
						<UserLink user={user} chosen={chosen} search={{ person: user.email, q }}>
							<bdi className={classes.name}>{user.name ?? user.email}</bdi>
							{user.name !== null && <span className={classes.last}>{user.email}</span>}
						</UserLink>
					</li>
				))}
			</ul>
		</section>
	);
}

interface UserLinkProps {
	user: Pick<ChatSummary, 'name' | 'email'>;
	chosen: string;
	search: Partial<ChatsSearch>;
	isUnread?: boolean;
	children: ReactNode;
}

function UserLink({ user: { name, email }, chosen, search, isUnread, children }: UserLinkProps) {
	return (
		<Link
			to="."
			search={chatsAddress(search)}
			className={classes.chat}
			data-chat={isUnread === undefined ? undefined : ''}
			aria-current={isSameEmail(email, chosen) ? 'true' : undefined}
			data-unread={isUnread || undefined}
		>
			<Avatar name={name} email={email} />
			<Stack component="span" gap={2} flex={1} miw={0}>
				{children}
			</Stack>
		</Link>
	);
}

const isSameEmail = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Shows the search match, the typing indicator or the newest message, in this order of priority. */
function LastMessage({ chat, isTyping }: Pick<ChatListRowProps, 'chat' | 'isTyping'>) {
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

function shortTime(at: string): string {
	return isToday(at) ? formatTime(at) : dayLabel(at, undefined, formatShortDate);
}
