import { editionWording, type OfferedEditions } from '#contract/book/editions.ts';
import type { Locale } from '#contract/core/text.ts';
import type { Template } from '#contract/storefront/content-fields.ts';
import type { LegalPage } from '#contract/storefront/landing.ts';
import { m } from '#messages';

interface LegalTextOptions {
	locale: Locale;
	/** Title of the book. */
	title: string;
	offered: OfferedEditions;
	/** Number of excerpts. */
	excerpts: number;
	template: Template;
}

/** The text of a legal page for which the owner has not written one. */
export function defaultLegalText(page: LegalPage, { locale, title, offered, ...content }: LegalTextOptions): string {
	const options = { locale };
	// What is true of the default book only.
	const isDefaultBook = content.template === 'build-your-empire';
	const payment = m.legal_terms_payment(editionWording(offered, locale), options);
	const some = content.excerpts === 2 && isDefaultBook ? 'two' : content.excerpts > 0 ? 'some' : 'none';
	const excerpts = m.legal_refund_excerpts({ some }, options);
	const advice = isDefaultBook ? m.legal_terms_advice({}, options) : '';
	const inputs = { title, payment, excerpts, advice };
	return m[`legal_${page}_text`](inputs, options).trimEnd();
}
