import { fromMail } from '#contract/core/screens.ts';
import { invitationBody, resetBody, testBody, twoFactorBody } from './mail.account-words.ts';
import { chatBody } from './mail.chat-words.ts';
import { diskSpaceBody } from './mail.disk-words.ts';
import { htmlOf, type MailBody, textOf } from './mail.layout.ts';
import { buyersBody, type MailFrame, newOrderBody } from './mail.order-words.ts';
import type { Mail } from './mail.service.ts';

export interface RenderedMail {
	subject: string;
	html: string;
	text: string;
}

/** Lays a mail out as HTML and as text. Its link comes from PUBLIC_URL, whatever host the request named. */
export function renderMail(frame: MailFrame, mail: Mail): RenderedMail {
	const { config } = frame;
	const link = `${config.PUBLIC_URL}/${pathOf(mail)}`;
	const body = bodyOf(frame, mail, 'html');
	return {
		subject: body.subject,
		html: htmlOf(body, link, config.PUBLIC_URL, mail.locale),
		text: textOf(bodyOf(frame, mail, 'text'), link, config.PUBLIC_URL),
	};
}

/** Where a mail's button leads. */
function pathOf(mail: Mail): string {
	const lang = `lang=${mail.locale}`;
	if ('token' in mail) return `set-password?${lang}#token=${mail.token}`;
	if (mail.kind === 'proof-wanted') return `order/${mail.statusToken}?${lang}`;
	if (mail.kind === 'receipt') return `order/${mail.statusToken}/receipt?${lang}`;
	return `${screenOf(mail, lang)}${fromMail}`;
}

function screenOf(mail: Mail, lang: string): string {
	if (mail.kind === 'new-order') return `Bookdashboard?search=${mail.order.code}&`;
	if (mail.kind === 'chat-to-owner') return `admin/contact?person=${encodeURIComponent(mail.email)}&`;
	if (mail.kind === 'chat-to-member') return `contact?${lang}&`;
	if ('freeBytes' in mail) return 'admin/storage?';
	return mail.kind === 'test' ? 'admin/mail?' : `account?${lang}&`;
}

/** A mail in plain text has a link where the other has a button. */
function bodyOf(frame: MailFrame, mail: Mail, form: 'html' | 'text'): MailBody {
	if (mail.kind === 'reset') return resetBody(mail, form);
	if (mail.kind === 'invitation') return invitationBody(mail, form);
	if (mail.kind === 'test') return testBody(mail);
	if (mail.kind === 'new-order') return newOrderBody(frame.config, mail);
	if ('freeBytes' in mail) return diskSpaceBody(mail);
	if ('quotes' in mail) return chatBody(mail);
	return 'order' in mail ? buyersBody(frame, mail, form) : twoFactorBody(mail);
}
