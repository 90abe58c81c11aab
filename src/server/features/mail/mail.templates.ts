import { bookDefaults } from '#contract/settings/book-settings.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import { m } from '#messages';
import type { Config } from '../../platform/config.ts';
import { formatMoment, formatRupees } from '../../platform/format.ts';
import { escapeHtml } from '../../platform/html.ts';
import type { Mail, OrderLines } from './mail.service.ts';

export interface RenderedMail {
	subject: string;
	html: string;
	text: string;
}

export const sceneContentId = 'scene@folio';

/** What a mail says before it is laid out: plain text everywhere. */
interface MailBody {
	subject: string;
	heading: string;
	lead: string;
	/** Label and value. */
	login: Array<[string, string]>;
	/** The last of them stands in a fixed-width face. */
	hasPassword?: boolean;
	button: string;
	/** Below the button; nothing where there is nothing to say. */
	hint: string;
	/** A second way on, as a plain link. */
	second?: { label: string; link: string } | undefined;
	/** The same in the other language, for whoever shares the inbox. */
	otherLanguage: string | null;
	order: Array<[string, string]>;
	/** Above the order's lines, where it is not the reader's own. */
	orderHeading?: string;
	footer: string;
}

/** What a mail is laid out with. */
export interface MailFrame {
	config: Config;
	/** Where buyers may write to; empty where the owner named none. */
	contactEmail: string;
}

/** Lays a mail out as HTML and as text. Its link comes from PUBLIC_URL, whatever host the request named. */
export function renderMail(frame: MailFrame, mail: Mail): RenderedMail {
	const { config } = frame;
	const link = `${config.PUBLIC_URL}/${pathOf(mail)}`;
	const body = bodyOf(frame, mail, 'html');
	return {
		subject: body.subject,
		html: htmlOf(config, body, link, mail.locale),
		text: textOf(bodyOf(frame, mail, 'text'), link, config.PUBLIC_URL),
	};
}

/** Where a mail's button leads. */
function pathOf(mail: Mail): string {
	const lang = `lang=${mail.locale}`;
	if ('token' in mail) return `set-password?${lang}#token=${mail.token}`;
	if (mail.kind === 'proof-wanted') return `order/${mail.statusToken}?${lang}`;
	if (mail.kind === 'receipt') return `order/${mail.statusToken}/receipt?${lang}`;
	if (mail.kind === 'new-order') return `Bookdashboard?search=${mail.order.code}`;
	return mail.kind === 'test' ? 'admin/mail' : `account?${lang}`;
}

/** A mail in plain text has a link where the other has a button. */
function bodyOf(frame: MailFrame, mail: Mail, form: 'html' | 'text'): MailBody {
	const { config, contactEmail } = frame;
	const options = { locale: mail.locale };
	const isHtml = form === 'html';
	const button = m.mail_set_password({}, options);
	if (mail.kind === 'reset') {
		return {
			subject: m.mail_reset_subject({}, options),
			heading: m.mail_reset_heading({}, options),
			lead: m.mail_reset_lead({}, options),
			login: [],
			button,
			hint: isHtml ? m.mail_reset_hint({}, options) : m.mail_reset_hint_text({}, options),
			otherLanguage: null,
			order: [],
			footer: m.mail_reset_footer({}, options),
		};
	}
	if (mail.kind === 'invitation') {
		return {
			subject: m.mail_invitation_subject({}, options),
			heading: m.mail_invitation_heading({}, options),
			lead: m.mail_invitation_lead({}, options),
			login: [[m.mail_label_email({}, options), mail.to]],
			button,
			hint: isHtml ? m.mail_invitation_hint({}, options) : m.mail_invitation_hint_text({}, options),
			otherLanguage: m.mail_invitation_other({}, { locale: mail.locale === 'hi' ? 'en' : 'hi' }),
			order: [],
			footer: m.mail_invitation_footer({}, options),
		};
	}
	if (mail.kind === 'test' || mail.kind === 'new-order') return ownersBody(config, mail);
	if (!('order' in mail)) return twoFactorBody(mail);
	const { code } = mail.order;
	const title = titleIn(mail.locale, mail.order.title);
	const footer =
		contactEmail === '' ? m.mail_footer({}, options) : m.mail_footer_contact({ email: contactEmail }, options);
	const common = { button, otherLanguage: null, order: orderLines(config, mail), footer };
	const login: Array<[string, string]> = [[m.mail_label_email({}, options), mail.to]];
	const second =
		mail.statusToken === undefined
			? undefined
			: {
					label: m.mail_see_order({}, options),
					link: `${config.PUBLIC_URL}/order/${mail.statusToken}?lang=${mail.locale}`,
				};
	if (mail.kind === 'order-received') {
		return {
			...common,
			subject: m.mail_received_subject({ title }, options),
			heading: m.mail_received_heading({}, options),
			lead: (isHtml ? m.mail_received_lead : m.mail_received_lead_text)({ name: mail.name }, options),
			login,
			hint: isHtml ? m.mail_received_hint({}, options) : m.mail_received_hint_text({}, options),
			second,
		};
	}
	if (mail.kind === 'login-again') {
		return {
			...common,
			subject: m.mail_login_again_subject({ title }, options),
			heading: m.mail_login_again_heading({}, options),
			lead: m.mail_login_again_lead({ name: mail.name }, options),
			login,
			hint: isHtml ? m.mail_received_hint({}, options) : m.mail_received_hint_text({}, options),
			second,
		};
	}
	if (mail.kind === 'proof-wanted') {
		return {
			...common,
			subject: m.mail_proof_wanted_subject({ code }, options),
			heading: m.mail_proof_wanted_heading({}, options),
			lead: m.mail_proof_wanted_lead({ name: mail.name }, options),
			login: mail.note === '' ? [] : [[m.mail_proof_wanted_note({}, options), mail.note]],
			button: m.mail_proof_wanted_button({}, options),
			hint: m.mail_proof_wanted_hint({}, options),
		};
	}
	if (mail.kind === 'receipt') {
		return {
			...common,
			subject: m.mail_receipt_subject({ title }, options),
			heading: m.mail_receipt_heading({}, options),
			lead: m.mail_receipt_lead({ name: mail.name }, options),
			login: [],
			button: m.mail_receipt_button({}, options),
			hint: m.mail_receipt_hint({}, options),
			second: { label: m.mail_receipt_sign_in({}, options), link: `${config.PUBLIC_URL}/login?lang=${mail.locale}` },
		};
	}
	return {
		...common,
		subject: m.mail_credentials_subject({ title }, options),
		heading: m.mail_credentials_heading({}, options),
		lead: m.mail_credentials_lead({ name: mail.name }, options),
		login: [...login, [m.mail_label_password({}, options), mail.password]],
		hasPassword: true,
		hint: isHtml ? m.mail_set_password_hint({}, options) : m.mail_set_password_hint_text({}, options),
		second,
		otherLanguage: (isHtml ? m.mail_credentials_other : m.mail_credentials_other_text)(
			{},
			{ locale: mail.locale === 'hi' ? 'en' : 'hi' },
		),
	};
}

/** What the owner is told, and how mail gets out. */
function ownersBody(config: Config, mail: Extract<Mail, { kind: 'test' | 'new-order' }>): MailBody {
	const options = { locale: mail.locale };
	if (mail.kind === 'test') {
		return {
			subject: m.mail_test_subject({}, options),
			heading: m.mail_test_heading({}, options),
			lead: m.mail_test_lead({}, options),
			login: [],
			button: m.mail_test_button({}, options),
			hint: '',
			otherLanguage: null,
			order: [],
			footer: m.mail_test_footer({}, options),
		};
	}
	return {
		subject: m.mail_new_order_subject({ code: mail.order.code, name: mail.name }, options),
		heading: m.mail_new_order_heading({}, options),
		lead: m.mail_new_order_lead({ name: mail.name }, options),
		login: [
			[m.mail_new_order_name({}, options), mail.name],
			[m.mail_label_email({}, options), mail.email],
		],
		button: m.mail_new_order_button({}, options),
		hint: '',
		otherLanguage: null,
		order: orderLines(config, mail),
		orderHeading: m.mail_order_code({}, options),
		footer: m.mail_new_order_footer({}, options),
	};
}

const twoFactorWords = {
	'two-factor-on': { heading: m.mail_two_factor_on_heading, lead: m.mail_two_factor_on_lead },
	'two-factor-off': { heading: m.mail_two_factor_off_heading, lead: m.mail_two_factor_off_lead },
	'two-factor-reset': { heading: m.mail_two_factor_reset_heading, lead: m.mail_two_factor_reset_lead },
} as const;

/** In both languages: what happened to one's own sign-in must be understood, and an admin's reset knows only the admin's. */
function twoFactorBody(mail: Extract<Mail, { kind: keyof typeof twoFactorWords }>): MailBody {
	const options = { locale: mail.locale };
	const { heading, lead } = twoFactorWords[mail.kind];
	return {
		subject: heading({}, options),
		heading: heading({}, options),
		lead: lead({}, options),
		login: [[m.mail_label_email({}, options), mail.to]],
		button: m.mail_two_factor_button({}, options),
		hint: m.mail_two_factor_hint({}, options),
		otherLanguage: lead({}, { locale: mail.locale === 'hi' ? 'en' : 'hi' }),
		order: [],
		footer: m.mail_two_factor_footer({}, options),
	};
}

type OfOrder = Extract<Mail, { order: OrderLines }>;

function orderLines(config: Config, mail: OfOrder): Array<[string, string]> {
	const { order, locale } = mail;
	const options = { locale };
	const moment = (iso: string) => formatMoment(iso, config.TIME_ZONE, locale);
	const lines: Array<[string, string]> = [
		[m.mail_order_code({}, options), order.code],
		[m.mail_order_item({ title: titleIn(locale, order.title) }, options), formatRupees(order.pricePaise)],
	];
	// What it was when the mail was written: later it may be another.
	if (mail.kind !== 'login-again') {
		const status = mail.kind === 'receipt' ? m.mail_order_complete({}, options) : m.mail_order_pending({}, options);
		lines.push([m.mail_order_status({}, options), status]);
	}
	lines.push([m.mail_order_received({}, options), moment(order.receivedAt)]);
	if (mail.kind !== 'receipt') return lines;
	lines.push([m.mail_receipt_paid({}, options), moment(mail.paidAt)]);
	if (mail.seller !== '') lines.push([m.mail_receipt_seller({}, options), mail.seller]);
	return lines;
}

/** The sample title has a Hindi name, as on the landing page; a title of the owner's own stays as it was given. */
function titleIn(locale: Locale, title: string): string {
	return title === bookDefaults.title ? m.landing_book_title({}, { locale }) : title;
}

function textOf(body: MailBody, link: string, publicUrl: string): string {
	const pairs = (rows: Array<[string, string]>) => rows.map(([label, value]) => `${label}: ${value}`).join('\n');
	return [
		body.heading,
		body.lead,
		pairs(body.login),
		`${body.button}:\n${link}`,
		body.hint,
		body.second && `${body.second.label}:\n${body.second.link}`,
		body.otherLanguage,
		pairs(body.order),
		body.footer,
		publicUrl,
	]
		.filter((part) => part !== null && part !== undefined && part !== '')
		.join('\n\n')
		.concat('\n');
}

const serif = "Georgia, 'Times New Roman', 'Noto Serif Devanagari', serif";
const sans = "Arial, 'Noto Sans Devanagari', sans-serif";

/** Tables and inline styles: what mail programs understand. Measures from the look page's mail. */
function htmlOf(config: Config, body: MailBody, link: string, locale: Locale): string {
	const login = body.login
		.map(([label, value], i) => loginRow(label, value, i > 0, i === 1 && body.hasPassword === true))
		.join('');
	const order = body.order
		.map(
			([label, value]) =>
				`<tr><td style="border-top:1px solid #e6dfd1;padding:10px 0;color:#6d6558">${escapeHtml(label)}</td><td align="right" style="border-top:1px solid #e6dfd1;padding:10px 0;color:#16130f;white-space:pre-line;overflow-wrap:anywhere"><b>${escapeHtml(value)}</b></td></tr>`,
		)
		.join('');
	return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(body.subject)}</title></head>
<body style="margin:0;background:#f4eee1;font-family:${sans};color:#453e34;font-size:16px;line-height:1.6">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4eee1"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="544" cellpadding="0" cellspacing="0" style="width:100%;max-width:544px">
<tr><td style="padding:0 0 24px;font-family:${serif};font-size:20px;color:#16130f"><b>Folio</b></td></tr>
<tr><td style="background:#fffdf9;border:1px solid #e6dfd1;border-radius:10px;overflow:hidden">
<img src="cid:${sceneContentId}" width="544" height="168" alt="${escapeHtml(m.mail_scene_alt({}, { locale }))}" style="display:block;width:100%;height:auto;background:#1a2340;color:#fbf8f1">
<div style="padding:36px 44px 40px">
<h1 style="margin:0 0 12px;font-family:${serif};font-weight:400;font-size:34px;line-height:1.2;color:#16130f">${escapeHtml(body.heading)}</h1>
<p style="margin:0 0 24px">${escapeHtml(body.lead)}</p>
${login === '' ? '' : `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#fbf8f1;border:1px solid #e6dfd1;border-radius:6px;margin:0 0 24px">${login}</table>`}
<a href="${escapeHtml(link)}" style="display:block;background:#f0a63a;color:#16130f;text-decoration:none;text-align:center;border-radius:6px;padding:14px;font-weight:bold">${escapeHtml(body.button)}</a>
${body.hint === '' ? '' : `<p style="margin:12px 0 0;font-size:14px;color:#6d6558">${escapeHtml(body.hint)}</p>`}
${body.second === undefined ? '' : `<p style="margin:16px 0 0"><a href="${escapeHtml(body.second.link)}" style="color:#945207">${escapeHtml(body.second.label)}</a></p>`}
${body.otherLanguage === null ? '' : `<p style="margin:24px 0 0;padding:24px 0 0;border-top:1px solid #e6dfd1">${escapeHtml(body.otherLanguage)}</p>`}
${order === '' ? '' : `<h2 style="margin:28px 0 8px;font-size:16px;color:#16130f">${escapeHtml(body.orderHeading ?? m.mail_order_heading({}, { locale }))}</h2><table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="font-size:14px">${order}</table>`}
</div></td></tr>
<tr><td style="padding:20px 4px;font-size:13px;color:#6d6558">${escapeHtml(body.footer)}<br>${escapeHtml(config.PUBLIC_URL)}</td></tr>
</table></td></tr></table></body></html>
`;
}

function loginRow(label: string, value: string, hasLine: boolean, isPassword: boolean): string {
	const line = hasLine ? 'border-top:1px solid #e6dfd1;' : '';
	const face = isPassword ? "font-family:Menlo,Consolas,'Courier New',monospace;font-size:17px;" : '';
	return `<tr><td style="${line}padding:14px 20px;font-size:14px;color:#6d6558">${escapeHtml(label)}</td><td style="${line}padding:14px 20px 14px 0;${face}color:#16130f;white-space:pre-line;overflow-wrap:anywhere"><b>${escapeHtml(value)}</b></td></tr>`;
}
