import type { Locale } from '#contract/core/text.ts';
import type { SiteIdentity } from '#contract/storefront/site-identity.ts';
import { m } from '#messages';
import { readableOn, textColorOn } from '#shared/colors.ts';
import { escapeHtml } from '../../../platform/format.ts';

export const headerImageContentId = 'header@folio';

/** The content of a mail before it is laid out; all values are plain text. */
export interface MailBody {
	subject: string;
	heading: string;
	lead: string;
	/** Texts of users, each on its own line. */
	quotes?: string[];
	fields?: Array<[string, string]>;
	/** Whether the second field is a password, which has a fixed-width font. */
	hasPassword?: boolean;
	button: string;
	hint?: string;
	secondaryLink?: { label: string; link: string } | undefined;
	/** The main text in the other language, for readers who do not understand the first. */
	otherLanguage?: string;
	order?: Array<[string, string]>;
	/** Heading above the order's lines; the default is the heading for buyers. */
	orderHeading?: string;
	footer: string;
}

export function renderText(body: MailBody, link: string, publicUrl: string): string {
	const pairs = (rows: Array<[string, string]> = []) => rows.map(([label, value]) => `${label}: ${value}`).join('\n');
	return [
		body.heading,
		body.lead,
		(body.quotes ?? []).map((quote) => `> ${quote}`).join('\n'),
		pairs(body.fields),
		`${body.button}:\n${link}`,
		body.hint,
		body.secondaryLink && `${body.secondaryLink.label}:\n${body.secondaryLink.link}`,
		body.otherLanguage,
		pairs(body.order),
		body.footer,
		publicUrl,
	]
		.filter((part) => part !== undefined && part !== '')
		.join('\n\n')
		.concat('\n');
}

const serif = "Georgia, 'Times New Roman', 'Noto Serif Devanagari', serif";
const sans = "Arial, 'Noto Sans Devanagari', sans-serif";

/** Renders a mail as HTML with tables and inline styles, because mail programs support little else. */
export function renderHtml(
	body: MailBody,
	link: string,
	{ publicUrl, locale, identity }: { publicUrl: string; locale: Locale; identity: SiteIdentity },
): string {
	const { wordmark, bookTitle } = identity.texts[locale];
	const { accent } = identity.colors;
	const imageAlt = identity.hasDefaultDrawings ? m.mail_header_image_alt({}, { locale }) : bookTitle;
	const fields = (body.fields ?? [])
		.map(([label, value], i) => fieldRow(label, value, i > 0, i === 1 && body.hasPassword === true))
		.join('');
	const quotes = (body.quotes ?? []).map(quoteRow).join('');
	const order = (body.order ?? [])
		.map(
			([label, value]) =>
				`<tr><td style="border-top:1px solid #e6dfd1;padding:10px 0;color:#6d6558">${escapeHtml(label)}</td><td align="right" style="border-top:1px solid #e6dfd1;padding:10px 0;color:#16130f;white-space:pre-line;overflow-wrap:anywhere"><b>${escapeHtml(value)}</b></td></tr>`,
		)
		.join('');
	return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(body.subject)}</title></head>
<body style="margin:0;background:#f4eee1;font-family:${sans};color:#453e34;font-size:16px;line-height:1.6">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4eee1"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="544" cellpadding="0" cellspacing="0" style="width:100%;max-width:544px">
<tr><td style="padding:0 0 24px;font-family:${serif};font-size:20px;color:#16130f;overflow-wrap:anywhere"><b>${escapeHtml(wordmark)}</b></td></tr>
<tr><td style="background:#fffdf9;border:1px solid #e6dfd1;border-radius:10px;overflow:hidden">
<img src="cid:${headerImageContentId}" width="544" height="168" alt="${escapeHtml(imageAlt)}" style="display:block;width:100%;height:auto;background:#1a2340;color:#fbf8f1">
<div style="padding:36px 44px 40px">
<h1 style="margin:0 0 12px;font-family:${serif};font-weight:400;font-size:34px;line-height:1.2;color:#16130f">${escapeHtml(body.heading)}</h1>
<p style="margin:0 0 24px">${escapeHtml(body.lead)}</p>
${quotes === '' ? '' : `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#fbf8f1;border:1px solid #e6dfd1;border-radius:6px;margin:0 0 24px">${quotes}</table>`}
${fields === '' ? '' : `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#fbf8f1;border:1px solid #e6dfd1;border-radius:6px;margin:0 0 24px">${fields}</table>`}
<a href="${escapeHtml(link)}" style="display:block;background:${accent};color:${textColorOn(accent)};text-decoration:none;text-align:center;border-radius:6px;padding:14px;font-weight:bold">${escapeHtml(body.button)}</a>
${body.hint === undefined ? '' : `<p style="margin:12px 0 0;font-size:14px;color:#6d6558">${escapeHtml(body.hint)}</p>`}
${body.secondaryLink === undefined ? '' : `<p style="margin:16px 0 0"><a href="${escapeHtml(body.secondaryLink.link)}" style="color:${linkColorOf(accent)}">${escapeHtml(body.secondaryLink.label)}</a></p>`}
${body.otherLanguage === undefined ? '' : `<p style="margin:24px 0 0;padding:24px 0 0;border-top:1px solid #e6dfd1">${escapeHtml(body.otherLanguage)}</p>`}
${order === '' ? '' : `<h2 style="margin:28px 0 8px;font-size:16px;color:#16130f">${escapeHtml(body.orderHeading ?? m.mail_order_heading({}, { locale }))}</h2><table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="font-size:14px">${order}</table>`}
</div></td></tr>
<tr><td style="padding:20px 4px;font-size:13px;color:#6d6558">${escapeHtml(body.footer)}<br>${escapeHtml(publicUrl)}</td></tr>
</table></td></tr></table></body></html>
`;
}

/** Links have a fixed darker shade of the default accent, or a readable shade of another one. */
function linkColorOf(accent: string): string {
	return accent === '#f0a63a' ? '#945207' : readableOn(accent, ['#fffdf9']);
}

function quoteRow(quote: string, index: number): string {
	const borderStyle = index === 0 ? '' : 'border-top:1px solid #e6dfd1;';
	return `<tr><td dir="auto" style="${borderStyle}padding:14px 20px;color:#16130f;overflow-wrap:anywhere">${escapeHtml(quote)}</td></tr>`;
}

function fieldRow(label: string, value: string, hasLine: boolean, isPassword: boolean): string {
	const borderStyle = hasLine ? 'border-top:1px solid #e6dfd1;' : '';
	const fontStyle = isPassword ? "font-family:Menlo,Consolas,'Courier New',monospace;font-size:17px;" : '';
	return `<tr><td style="${borderStyle}padding:14px 20px;font-size:14px;color:#6d6558">${escapeHtml(label)}</td><td style="${borderStyle}padding:14px 20px 14px 0;${fontStyle}color:#16130f;white-space:pre-line;overflow-wrap:anywhere"><b>${escapeHtml(value)}</b></td></tr>`;
}
