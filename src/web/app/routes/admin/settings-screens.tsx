import { m } from '#messages';
import { ChapterMatching } from '#web/features/book/administration/chapter-matching/chapter-matching.tsx';
import { EditionsSection } from '#web/features/book/administration/editions/editions-section.tsx';
import { ReadingStats } from '#web/features/book/administration/statistics/reading-stats.tsx';
import { ChatStorage } from '#web/features/files/spaces/chat-storage.tsx';
import { FilesSettings, useFilesSettings } from '#web/features/files/spaces/files-settings.tsx';
import { SpaceList } from '#web/features/files/spaces/space-list.tsx';
import { MailSettings } from '#web/features/mail/mail-settings.tsx';
import { MailStatus } from '#web/features/mail/mail-status.tsx';
import { UnsentMails } from '#web/features/mail/unsent-mails.tsx';
import { DashboardButtonSetting } from '#web/features/sharing/dashboard-button/dashboard-button-setting.tsx';
import { SectionsScreen } from '#web/ui/layout/section.tsx';

export function AdminMailScreen() {
	return (
		<SectionsScreen title={m.screen_mail()}>
			<MailStatus />
			<UnsentMails />
			<MailSettings />
		</SectionsScreen>
	);
}

export function AdminStorageScreen() {
	const settings = useFilesSettings();
	return (
		<SectionsScreen title={m.screen_storage()}>
			<SpaceList defaultQuota={settings.data?.quotaBytes} />
			<ChatStorage />
			<FilesSettings />
		</SectionsScreen>
	);
}

/** /admin/book: the editions with their files, reading progress, and chapter matching. */
export function AdminBookScreen() {
	return (
		<SectionsScreen title={m.screen_book()}>
			<EditionsSection />
			<ReadingStats />
			<ChapterMatching />
		</SectionsScreen>
	);
}

export function DashboardButtonScreen() {
	return (
		<SectionsScreen title={m.screen_dashboard_button()}>
			<DashboardButtonSetting />
		</SectionsScreen>
	);
}
