import type { LegalPage } from '#contract/storefront/landing.ts';
import { m } from '#messages';

export interface LegalDocument {
	page: LegalPage;
	heading: string;
	description: string;
	/** The default text. */
	text: string;
}

/** Returns the legal pages in the order of their links. */
export function legalDocuments(title: string): LegalDocument[] {
	return [
		{
			page: 'privacy',
			heading: m.legal_privacy(),
			description: m.legal_privacy_description({ title }),
			text: m.legal_privacy_text({ title }),
		},
		{
			page: 'terms',
			heading: m.legal_terms(),
			description: m.legal_terms_description({ title }),
			text: m.legal_terms_text({ title }),
		},
		{
			page: 'refund',
			heading: m.legal_refund(),
			description: m.legal_refund_description({ title }),
			text: m.legal_refund_text({ title }),
		},
	];
}
