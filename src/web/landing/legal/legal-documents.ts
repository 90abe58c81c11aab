import type { Locale } from '#contract/core/text.ts';
import type { LegalPage } from '#contract/storefront/landing.ts';
import { m } from '#messages';

export interface LegalDocument {
	page: LegalPage;
	heading: string;
	description: string;
	/** The product's own text. */
	text: string;
}

/** The pages of fine print, in the order in which they are linked. */
export function legalDocuments(locale: Locale, title: string): LegalDocument[] {
	const inLocale = { locale };
	return [
		{
			page: 'privacy',
			heading: m.legal_privacy({}, inLocale),
			description: m.legal_privacy_description({ title }, inLocale),
			text: m.legal_privacy_text({ title }, inLocale),
		},
		{
			page: 'terms',
			heading: m.legal_terms({}, inLocale),
			description: m.legal_terms_description({ title }, inLocale),
			text: m.legal_terms_text({ title }, inLocale),
		},
		{
			page: 'refund',
			heading: m.legal_refund({}, inLocale),
			description: m.legal_refund_description({ title }, inLocale),
			text: m.legal_refund_text({ title }, inLocale),
		},
	];
}
