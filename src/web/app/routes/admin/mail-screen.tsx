import { m } from '#messages';
import { MailSettings } from '#web/features/mail/mail-settings.tsx';
import { MailStatus } from '#web/features/mail/mail-status.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Sections } from '#web/ui/layout/section.tsx';

/** /admin/mail: how mails are sent, and the owner's mail settings. */
export function AdminMailScreen() {
	return (
		<>
			<PageHeader title={m.screen_mail()} />
			<Sections>
				<MailStatus />
				<MailSettings />
			</Sections>
		</>
	);
}
