import { m } from '#messages';
import { useFilesSettings } from '#web/features/storage/storage.api.ts';
import { StorageChats } from '#web/features/storage/storage-chats.tsx';
import { StorageSettings } from '#web/features/storage/storage-settings.tsx';
import { StorageSpaces } from '#web/features/storage/storage-spaces.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { Sections } from '#web/ui/section.tsx';

/** /admin/storage: space used by person with quotas, by chats, and the settings of files. */
export function AdminStorageScreen() {
	const settings = useFilesSettings();
	return (
		<>
			<PageHeader title={m.screen_storage()} />
			<Sections>
				<StorageSpaces defaultQuota={settings.data?.quotaBytes} />
				<StorageChats />
				<StorageSettings />
			</Sections>
		</>
	);
}
