import { bookDefaults } from '#contract/book/book-settings.ts';
import { legalPages } from '#contract/storefront/landing.ts';
import type { StorefrontContact } from '#contract/storefront/storefront-settings.ts';
import { m } from '#messages';
import { mailHref } from '../../platform/formats/contact-links.ts';

/** Returns a link to the seller's email address or, if it is unset, to the seller's chat; null if both are unset. */
export function contactLink(
	{ email, chatUrl }: StorefrontContact,
	subject = '',
): { href: string; text: string } | null {
	const subjectQuery = subject === '' ? '' : `?subject=${encodeURIComponent(subject)}`;
	if (email !== '') return { href: `${mailHref(email)}${subjectQuery}`, text: email };
	return chatUrl === '' ? null : { href: chatUrl, text: m.landing_footer_chat() };
}

/** The default title is translated. A title that the owner has set is not. */
export function localizedTitle({ title }: { title: string }): string {
	return title === bookDefaults.title ? m.landing_book_title() : title;
}

/** Returns the prefix of links to anchors of the landing page: '' on the landing page. */
export function anchorPrefix(path: string): string {
	return path === '/' ? '' : '/';
}

export type LegalDocument = ReturnType<typeof legalDocuments>[number];

/** Returns the legal pages in the order of the links. `text`: the default text. */
export function legalDocuments(title: string) {
	return legalPages.map((page) => ({
		page,
		heading: m[`legal_${page}`](),
		description: m[`legal_${page}_description`]({ title }),
		text: m[`legal_${page}_text`]({ title }),
	}));
}
