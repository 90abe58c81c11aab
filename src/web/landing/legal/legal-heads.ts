import type { Locale } from '#contract/storefront/landing.ts';
import type { LegalPage } from '#contract/storefront/legal-pages.ts';
import { m } from '#messages';

export interface LegalHead {
	page: LegalPage;
	heading: string;
	description: string;
	/** The product's own text. */
	text: string;
}

/** The pages of fine print, in the order in which they are linked. */
export function legalHeads(locale: Locale, title: string): LegalHead[] {
	const say = { locale };
	return [
		{
			page: 'privacy',
			heading: m.legal_privacy({}, say),
			description: m.legal_privacy_description({ title }, say),
			text: m.legal_privacy_text({ title }, say),
		},
		{
			page: 'terms',
			heading: m.legal_terms({}, say),
			description: m.legal_terms_description({ title }, say),
			text: m.legal_terms_text({ title }, say),
		},
		{
			page: 'refund',
			heading: m.legal_refund({}, say),
			description: m.legal_refund_description({ title }, say),
			text: m.legal_refund_text({ title }, say),
		},
	];
}
