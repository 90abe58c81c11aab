import { m } from '#messages';
import { formatDiskSize } from '../../../platform/format.ts';
import type { Mail } from '../outbox/outbox.service.ts';
import type { MailBody } from './mail-layout.ts';

const diskSpaceTexts = {
	'disk-low': {
		subject: m.mail_disk_low_subject,
		heading: m.mail_disk_low_heading,
		lead: m.mail_disk_low_lead,
	},
	'purchase-space-low': {
		subject: m.mail_disk_critical_subject,
		heading: m.mail_disk_critical_heading,
		lead: m.mail_disk_critical_lead,
	},
} as const;

export function diskSpaceBody(mail: Extract<Mail, { kind: keyof typeof diskSpaceTexts }>): MailBody {
	const options = { locale: mail.locale };
	const { subject, heading, lead } = diskSpaceTexts[mail.kind];
	const sizes = { free: formatDiskSize(mail.freeBytes), total: formatDiskSize(mail.totalBytes) };
	return {
		subject: subject(sizes, options),
		heading: heading({}, options),
		lead: lead(sizes, options),
		button: m.mail_disk_button({}, options),
		hint: m.mail_disk_hint({}, options),
		footer: m.mail_disk_footer({}, options),
	};
}
