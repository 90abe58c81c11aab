import { legalPages, type PageProps } from '#contract/storefront/landing.ts';
import type { StorefrontContact } from '#contract/storefront/page-content.ts';
import { m } from '#messages';
import { mailHref } from '../../platform/formats/contact-links.ts';
import { termsPaymentText } from '../book/edition-texts.ts';

/** Returns a link to the seller's email address or, if it is unset, to the seller's chat; null if both are unset. */
export function contactLink(
	{ email, chatUrl }: StorefrontContact,
	subject = '',
): { href: string; text: string } | null {
	const subjectQuery = subject === '' ? '' : `?subject=${encodeURIComponent(subject)}`;
	if (email !== '') return { href: `${mailHref(email)}${subjectQuery}`, text: email };
	return chatUrl === '' ? null : { href: chatUrl, text: m.landing_footer_chat() };
}

/** Returns the prefix of links to anchors of the landing page: '' on the landing page. */
export function anchorPrefix(path: string): string {
	return path === '/' ? '' : '/';
}

export type LegalDocument = ReturnType<typeof legalDocuments>[number];

/** Returns the legal pages in the order of the links. `text`: the default text. */
export function legalDocuments({ book, content }: Pick<PageProps, 'book' | 'content'>) {
	const title = content.bookTitle;
	const payment = termsPaymentText(book);
	const amount = content.excerpts.items.length;
	const excerpts = m.legal_refund_excerpts({ some: amount === 2 ? 'two' : amount > 0 ? 'some' : 'none' });
	return legalPages.map((page) => ({
		page,
		heading: m[`legal_${page}`](),
		description: m[`legal_${page}_description`]({ title }),
		text: m[`legal_${page}_text`]({ title, payment, excerpts }).trimEnd(),
	}));
}
