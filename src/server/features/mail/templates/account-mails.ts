import { m } from '#messages';
import type { Mail } from '../outbox/outbox.service.ts';
import type { MailBody } from './mail-layout.ts';

export function passwordResetBody({ locale }: Mail, form: 'html' | 'text'): MailBody {
	const options = { locale };
	return {
		subject: m.mail_reset_subject({}, options),
		heading: m.mail_reset_heading({}, options),
		lead: m.mail_reset_lead({}, options),
		button: m.mail_set_password({}, options),
		hint: form === 'html' ? m.mail_reset_hint({}, options) : m.mail_reset_hint_text({}, options),
		footer: m.mail_reset_footer({}, options),
	};
}

export function invitationBody(mail: Mail, form: 'html' | 'text'): MailBody {
	const options = { locale: mail.locale };
	return {
		subject: m.mail_invitation_subject({}, options),
		heading: m.mail_invitation_heading({}, options),
		lead: m.mail_invitation_lead({}, options),
		fields: [[m.mail_label_email({}, options), mail.to]],
		button: m.mail_set_password({}, options),
		hint: form === 'html' ? m.mail_invitation_hint({}, options) : m.mail_invitation_hint_text({}, options),
		otherLanguage: m.mail_invitation_other({}, { locale: mail.locale === 'hi' ? 'en' : 'hi' }),
		footer: m.mail_invitation_footer({}, options),
	};
}

const twoFactorTexts = {
	'two-factor-on': { heading: m.mail_two_factor_on_heading, lead: m.mail_two_factor_on_lead },
	'two-factor-off': { heading: m.mail_two_factor_off_heading, lead: m.mail_two_factor_off_lead },
	'two-factor-reset': { heading: m.mail_two_factor_reset_heading, lead: m.mail_two_factor_reset_lead },
} as const;

/** Writes the mail in both languages, because after a reset by an admin the user's language is unknown. */
export function twoFactorBody(mail: Extract<Mail, { kind: keyof typeof twoFactorTexts }>): MailBody {
	const options = { locale: mail.locale };
	const { heading, lead } = twoFactorTexts[mail.kind];
	return {
		subject: heading({}, options),
		heading: heading({}, options),
		lead: lead({}, options),
		fields: [[m.mail_label_email({}, options), mail.to]],
		button: m.mail_two_factor_button({}, options),
		hint: m.mail_two_factor_hint({}, options),
		otherLanguage: lead({}, { locale: mail.locale === 'hi' ? 'en' : 'hi' }),
		footer: m.mail_two_factor_footer({}, options),
	};
}

export function testBody({ locale }: Mail): MailBody {
	const options = { locale };
	return {
		subject: m.mail_test_subject({}, options),
		heading: m.mail_test_heading({}, options),
		lead: m.mail_test_lead({}, options),
		button: m.mail_test_button({}, options),
		footer: m.mail_test_footer({}, options),
	};
}
