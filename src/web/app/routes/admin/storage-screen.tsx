import { m } from '#messages';
import { ChatStorage } from '#web/features/files/spaces/chat-storage.tsx';
import { FilesSettings } from '#web/features/files/spaces/files-settings.tsx';
import { SpaceList } from '#web/features/files/spaces/space-list.tsx';
import { useFilesSettings } from '#web/features/files/spaces/spaces-api.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Sections } from '#web/ui/layout/section.tsx';

/** /admin/storage: space used by each user with quotas, by chats, and the settings of files. */
export function AdminStorageScreen() {
	const settings = useFilesSettings();
	return (
		<>
			<PageHeader title={m.screen_storage()} />
			<Sections>
				<SpaceList defaultQuota={settings.data?.quotaBytes} />
				<ChatStorage />
				<FilesSettings />
			</Sections>
		</>
	);
}
