import { Link } from '@tanstack/react-router';
import type { ChatStorageUse } from '#contract/chat/chat.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { useKeysetPages } from '#web/ui/data/pager.tsx';
import { Section } from '#web/ui/layout/section.tsx';
import { SkeletonLines } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import { useChatStorage } from './spaces-api.ts';
import { capacityText, sizeText } from './storage-amounts.ts';
import classes from './storage-table.module.css';
import { StorageCell, StorageTable } from './storage-table.tsx';

/** Storage use of every conversation, the largest first, and how much of the daily limits its member has used. */
export function ChatStorage() {
	const pages = useKeysetPages();
	const chats = useChatStorage(pages.cursor);
	const totals = chats.data?.totals;
	return (
		<Section
			title={m.files_chat_storage()}
			intro={[
				...(totals === undefined
					? []
					: [m.files_chat_storage_used({ used: sizeText(totals.usedBytes), count: formatCount(totals.fileCount) })]),
				m.files_chat_storage_note(),
			].join(' · ')}
		>
			<ChatsPage chats={chats} pages={pages} />
		</Section>
	);
}

interface ChatsPageProps {
	chats: ReturnType<typeof useChatStorage>;
	pages: ReturnType<typeof useKeysetPages>;
}

function ChatsPage({ chats, pages }: ChatsPageProps) {
	if (chats.isPending) return <SkeletonLines label={m.files_storage_loading()} count={3} height="36px" />;
	if (chats.isError) return <FailedQuery text={m.files_chat_storage_failed()} query={chats} />;
	const { items, nextCursor } = chats.data;
	if (items.length === 0 && pages.pageIndex === 0)
		return <p className={classes.muted}>{m.files_chat_storage_empty()}</p>;
	return (
		<StorageTable
			firstHeader={m.files_chat_storage_member()}
			lastHeader={m.files_chat_storage_last_day()}
			pagerLabel={m.files_chat_storage_pages()}
			pages={pages}
			nextCursor={nextCursor}
			rowCount={items.length}
			isFetching={chats.isPlaceholderData}
		>
			{items.map((chat) => (
				<ChatRow key={chat.userId} chat={chat} />
			))}
		</StorageTable>
	);
}

function ChatRow({ chat: { email, fileCount, usedBytes, lastDay } }: { chat: ChatStorageUse }) {
	const isFull = lastDay.fileCount >= lastDay.filesLimit || lastDay.usedBytes >= lastDay.bytesLimit;
	return (
		<tr>
			<th scope="row" className={classes.name}>
				<Link to="/admin/contact" search={{ person: email } as never}>
					<bdi>{email}</bdi>
				</Link>
			</th>
			<StorageCell header={m.files_storage_count()} kind="number">
				{formatCount(fileCount)}
			</StorageCell>
			<StorageCell header={m.files_storage_size()} kind="number">
				{sizeText(usedBytes)}
			</StorageCell>
			<StorageCell header={m.files_chat_storage_last_day()} kind="quota">
				<span className={classes.sentLastDay} data-full={isFull || undefined}>
					{m.files_chat_storage_last_day_of({
						files: formatCount(lastDay.fileCount),
						filesLimit: formatCount(lastDay.filesLimit),
						used: sizeText(lastDay.usedBytes),
						limit: capacityText(lastDay.bytesLimit),
					})}
				</span>
			</StorageCell>
		</tr>
	);
}
