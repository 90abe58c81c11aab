import { fromMailParameter } from '#contract/core/screens.ts';
import type { SiteIdentity } from '#contract/storefront/site-identity.ts';
import type { Mail } from '../outbox/outbox.service.ts';
import { invitationBody, passwordResetBody, testBody, twoFactorBody } from './account-mails.ts';
import { chatBody } from './chat-mails.ts';
import { diskSpaceBody } from './disk-space-mails.ts';
import { type MailBody, renderHtml, renderText } from './mail-layout.ts';
import { buyerOrderBody, type MailContext, newOrderBody } from './order-mails.ts';

/** Renders a mail as HTML and as text. Links start with PUBLIC_URL, never with the host of a request. */
export function renderMail(context: MailContext, mail: Mail) {
	const { config, identity } = context;
	const link = `${config.PUBLIC_URL}/${linkPathOf(mail)}`;
	const build = (form: 'html' | 'text') => withoutOtherLanguages(buildBody(context, mail, form), identity);
	const body = build('html');
	return {
		subject: body.subject,
		html: renderHtml(body, link, { publicUrl: config.PUBLIC_URL, locale: mail.locale, identity }),
		text: renderText(build('text'), link, config.PUBLIC_URL),
	};
}

/** Removes the sentence in the other language if the storefront has only one. */
function withoutOtherLanguages({ otherLanguage, ...body }: MailBody, { languages }: SiteIdentity): MailBody {
	return languages.length === 1 || otherLanguage === undefined ? body : { ...body, otherLanguage };
}

function linkPathOf(mail: Mail): string {
	const lang = `lang=${mail.locale}`;
	if ('token' in mail) return `set-password?${lang}#token=${mail.token}`;
	if (mail.kind === 'proof-wanted') return `order/${mail.statusToken}?${lang}`;
	if (mail.kind === 'receipt') return `order/${mail.statusToken}/receipt?${lang}`;
	return `${screenPathOf(mail, lang)}${fromMailParameter}`;
}

function screenPathOf(mail: Mail, lang: string): string {
	if (mail.kind === 'new-order') return `Bookdashboard?search=${mail.order.code}&`;
	if (mail.kind === 'chat-to-owner') return `admin/contact?person=${encodeURIComponent(mail.email)}&`;
	if (mail.kind === 'chat-to-member') return `contact?${lang}&`;
	if ('freeBytes' in mail) return 'admin/storage?';
	return mail.kind === 'test' ? 'admin/mail?' : `account?${lang}&`;
}

/** Builds the content of a mail; `form` matters because a text mail has a link instead of a button. */
function buildBody(context: MailContext, mail: Mail, form: 'html' | 'text'): MailBody {
	if (mail.kind === 'reset') return passwordResetBody(mail, form);
	if (mail.kind === 'invitation') return invitationBody(mail, form);
	if (mail.kind === 'test') return testBody(mail);
	if (mail.kind === 'new-order') return newOrderBody(context, mail);
	if ('freeBytes' in mail) return diskSpaceBody(mail);
	if ('quotes' in mail) return chatBody(mail);
	return 'order' in mail ? buyerOrderBody(context, mail, form) : twoFactorBody(mail);
}
