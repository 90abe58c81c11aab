import { Link } from '@tanstack/react-router';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { useKeysetPages } from '#web/ui/data/pager.tsx';
import { Section } from '#web/ui/layout/section.tsx';
import { useChatStorage } from './spaces-api.ts';
import { capacityText, sizeText } from './storage-amounts.ts';
import classes from './storage-table.module.css';
import { StorageTable } from './storage-table.tsx';

/** Storage use of every conversation, the largest first, and how much of the daily limits its member has used. */
export function ChatStorage() {
	const pages = useKeysetPages();
	const chats = useChatStorage(pages.cursor);
	const totals = chats.data?.totals;
	const used =
		totals && m.files_chat_storage_used({ used: sizeText(totals.usedBytes), count: formatCount(totals.fileCount) });
	return (
		<Section
			title={m.files_chat_storage()}
			intro={[used, m.files_chat_storage_note()].filter((part) => part !== undefined).join(' · ')}
		>
			<StorageTable
				page={chats}
				pages={pages}
				texts={{
					failed: m.files_chat_storage_failed(),
					empty: m.files_chat_storage_empty(),
					pager: m.files_chat_storage_pages(),
					first: m.files_chat_storage_member(),
					last: m.files_chat_storage_last_day(),
				}}
				placeholders={3}
				rowOf={({ userId, email, fileCount, usedBytes, lastDay }) => {
					const isFull = lastDay.fileCount >= lastDay.filesLimit || lastDay.usedBytes >= lastDay.bytesLimit;
					return {
						key: userId,
						name: (
							<Link to="/admin/contact" search={{ person: email } as never}>
								<bdi>{email}</bdi>
							</Link>
						),
						fileCount,
						size: sizeText(usedBytes),
						last: (
							<span className={classes.sentLastDay} data-full={isFull || undefined}>
								{m.files_chat_storage_last_day_of({
									files: formatCount(lastDay.fileCount),
									filesLimit: formatCount(lastDay.filesLimit),
									used: sizeText(lastDay.usedBytes),
									limit: capacityText(lastDay.bytesLimit),
								})}
							</span>
						),
					};
				}}
			/>
		</Section>
	);
}
