import { editionDefaults, editionWording } from '#contract/book/editions.ts';
import { localizeTitle, type SiteIdentity } from '#contract/storefront/site-identity.ts';
import { m } from '#messages';
import type { Config } from '../../../platform/config.ts';
import { formatMoment, formatRupees } from '../../../platform/format.ts';
import type { Mail, MailOrder } from '../outbox/outbox.service.ts';
import type { MailBody } from './mail-layout.ts';

export interface MailContext {
	config: Config;
	/** Email address that buyers may write to; empty if the owner has not set one. */
	contactEmail: string;
	identity: SiteIdentity;
}

type AnyOrderMail = Extract<Mail, { order: MailOrder }>;

export function buyerOrderBody(
	context: MailContext,
	mail: Exclude<AnyOrderMail, { kind: 'new-order' }>,
	form: 'html' | 'text',
): MailBody {
	const { config, contactEmail, identity } = context;
	const options = { locale: mail.locale };
	const isHtml = form === 'html';
	const button = m.mail_set_password({}, options);
	const { code } = mail.order;
	const title = localizeTitle(identity, mail.order.title, mail.locale);
	const footer =
		contactEmail === '' ? m.mail_footer({}, options) : m.mail_footer_contact({ email: contactEmail }, options);
	const common = { button, order: orderLines(context, mail), footer };
	const fields: Array<[string, string]> = [[m.mail_label_email({}, options), mail.to]];
	const statusLink = {
		label: m.mail_see_order({}, options),
		link: `${config.PUBLIC_URL}/order/${mail.statusToken}?lang=${mail.locale}`,
	};
	const secondaryLink = mail.statusToken === undefined ? undefined : statusLink;
	if (mail.kind === 'order-received' || mail.kind === 'login-again') {
		const isAgain = mail.kind === 'login-again';
		const receivedLead = isHtml ? m.mail_received_lead : m.mail_received_lead_text;
		return {
			...common,
			subject: (isAgain ? m.mail_login_again_subject : m.mail_received_subject)({ title }, options),
			heading: (isAgain ? m.mail_login_again_heading : m.mail_received_heading)({}, options),
			lead: (isAgain ? m.mail_login_again_lead : receivedLead)({ name: mail.name }, options),
			fields,
			hint: (isHtml ? m.mail_received_hint : m.mail_received_hint_text)({}, options),
			secondaryLink,
		};
	}
	if (mail.kind === 'proof-wanted') {
		return {
			...common,
			subject: m.mail_proof_wanted_subject({ code }, options),
			heading: m.mail_proof_wanted_heading({}, options),
			lead: m.mail_proof_wanted_lead({ name: mail.name }, options),
			fields: mail.note === '' ? [] : [[m.mail_proof_wanted_note({}, options), mail.note]],
			button: m.mail_proof_wanted_button({}, options),
			hint: (isHtml ? m.mail_proof_wanted_hint : m.mail_proof_wanted_hint_text)({}, options),
		};
	}
	if (mail.kind === 'receipt') {
		return {
			...common,
			subject: m.mail_receipt_subject({ title }, options),
			heading: m.mail_receipt_heading({}, options),
			lead: m.mail_receipt_lead({ name: mail.name }, options),
			button: m.mail_receipt_button({}, options),
			hint: m.mail_receipt_hint({}, options),
			secondaryLink: {
				label: m.mail_receipt_sign_in({}, options),
				link: `${config.PUBLIC_URL}/login?lang=${mail.locale}`,
			},
		};
	}
	return {
		...common,
		subject: m.mail_credentials_subject({ title }, options),
		heading: m.mail_credentials_heading({}, options),
		lead: m.mail_credentials_lead({ name: mail.name }, options),
		fields: [...fields, [m.mail_label_password({}, options), mail.password]],
		hasPassword: true,
		hint: isHtml ? m.mail_set_password_hint({}, options) : m.mail_set_password_hint_text({}, options),
		secondaryLink,
		otherLanguage: (isHtml ? m.mail_credentials_other : m.mail_credentials_other_text)(
			{},
			{ locale: mail.locale === 'hi' ? 'en' : 'hi' },
		),
	};
}

export function newOrderBody(context: MailContext, mail: Extract<Mail, { kind: 'new-order' }>): MailBody {
	const options = { locale: mail.locale };
	return {
		subject: m.mail_new_order_subject({ code: mail.order.code, name: mail.name }, options),
		heading: m.mail_new_order_heading({}, options),
		lead: m.mail_new_order_lead({ name: mail.name }, options),
		fields: [
			[m.mail_new_order_name({}, options), mail.name],
			[m.mail_label_email({}, options), mail.email],
		],
		button: m.mail_new_order_button({}, options),
		order: orderLines(context, mail),
		orderHeading: m.mail_order_code({}, options),
		footer: m.mail_new_order_footer({}, options),
	};
}

function orderLines({ config, identity }: MailContext, mail: AnyOrderMail): Array<[string, string]> {
	const { order, locale } = mail;
	const options = { locale };
	const moment = (iso: string) => formatMoment(iso, config.TIME_ZONE, locale);
	const wording = editionWording(order.offered ?? editionDefaults, locale);
	const lines: Array<[string, string]> = [
		[m.mail_order_code({}, options), order.code],
		[
			m.mail_order_item({ title: localizeTitle(identity, order.title, locale), ...wording }, options),
			formatRupees(order.pricePaise),
		],
	];
	// A `login-again` mail has no status, because the order may be Pending or Complete.
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
