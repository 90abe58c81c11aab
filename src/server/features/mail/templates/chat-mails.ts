import { m } from '#messages';
import type { Mail, MailQuote } from '../outbox/outbox.service.ts';
import type { MailBody } from './mail-layout.ts';

export function chatBody(mail: Extract<Mail, { quotes: MailQuote[] }>): MailBody {
	const { name, count, locale } = mail;
	const options = { locale };
	const quotes = mail.quotes.map(({ text, isFile }) => (isFile ? m.mail_chat_file({ name: text }, options) : text));
	const more = count - quotes.length;
	const common = {
		quotes: more > 0 ? [...quotes, m.mail_chat_more({ count: more }, options)] : quotes,
		button: m.mail_chat_button({}, options),
		hint: m.mail_chat_hint({}, options),
	};
	if (mail.kind === 'chat-to-owner') {
		return {
			...common,
			subject: m.mail_chat_owner_subject({ name }, options),
			heading: m.mail_chat_owner_heading({}, options),
			lead: m.mail_chat_owner_lead({ name, email: mail.email, count }, options),
			footer: m.mail_chat_owner_footer({}, options),
		};
	}
	return {
		...common,
		subject: m.mail_chat_member_subject({}, options),
		heading: m.mail_chat_member_heading({}, options),
		lead: m.mail_chat_member_lead({ name, count }, options),
		// The mail may be in the owner's language, because the member's may be unknown.
		otherLanguage: m.mail_chat_member_other({}, { locale: locale === 'hi' ? 'en' : 'hi' }),
		footer: m.mail_chat_member_footer({}, options),
	};
}
