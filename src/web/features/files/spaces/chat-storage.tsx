import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { formatCount, formatStorage } from '#web/platform/formats/format.ts';
import { usePagedQuery } from '#web/ui/data/paged-list.tsx';
import { Section } from '#web/ui/layout/section.tsx';
import { StorageTable } from './storage-table.tsx';

export function ChatStorage() {
	const chats = usePagedQuery(25, (input) => api.chat.storage.queryOptions({ input, staleTime: 0 }));
	const totals = chats.page.data?.totals;
	const used =
		totals &&
		m.files_chat_storage_used({ used: formatStorage(totals.usedBytes), count: formatCount(totals.fileCount) });
	return (
		<Section
			title={m.files_chat_storage()}
			intro={[used, m.files_chat_storage_note()].filter((part) => part !== undefined).join(' · ')}
		>
			<StorageTable
				list={chats}
				texts={{
					failed: m.files_chat_storage_failed(),
					empty: m.files_chat_storage_empty(),
					pages: m.files_chat_storage_pages(),
					first: m.files_chat_storage_member(),
					last: m.files_chat_storage_last_day(),
				}}
				placeholders={3}
				rowOf={({ userId, email, fileCount, usedBytes, lastDay }) => {
					const isFull = lastDay.fileCount >= lastDay.filesLimit || lastDay.usedBytes >= lastDay.bytesLimit;
					return {
						key: userId,
						name: (
							<Link to="/admin/contact" search={{ person: email }}>
								<bdi>{email}</bdi>
							</Link>
						),
						fileCount,
						size: formatStorage(usedBytes),
						last: (
							<Box
								component="span"
								fz="var(--text-13)"
								fw={isFull ? 600 : undefined}
								c={isFull ? 'var(--negative)' : 'var(--ink-2)'}
							>
								{m.files_chat_storage_last_day_of({
									files: formatCount(lastDay.fileCount),
									filesLimit: formatCount(lastDay.filesLimit),
									used: formatStorage(lastDay.usedBytes),
									limit: formatStorage(lastDay.bytesLimit),
								})}
							</Box>
						),
					};
				}}
			/>
		</Section>
	);
}
