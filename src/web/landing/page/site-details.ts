import { bookDefaults } from '#contract/book/book-settings.ts';
import { legalPages } from '#contract/storefront/landing.ts';
import type { StorefrontContact } from '#contract/storefront/storefront-settings.ts';
import { m } from '#messages';
import { mailHref } from '../../platform/formats/contact-links.ts';

/** A link to the seller: their email address, otherwise their chat; null if the owner has set neither. */
export function contactLink(
	{ email, chatUrl }: StorefrontContact,
	subject = '',
): { href: string; text: string } | null {
	const subjectQuery = subject === '' ? '' : `?subject=${encodeURIComponent(subject)}`;
	if (email !== '') return { href: `${mailHref(email)}${subjectQuery}`, text: email };
	return chatUrl === '' ? null : { href: chatUrl, text: m.landing_footer_chat() };
}

/** Returns the book's title. The default title has a Hindi form; the owner's own title is not translated. */
export function localizedTitle({ title }: { title: string }): string {
	return title === bookDefaults.title ? m.landing_book_title() : title;
}

/** Returns the prefix of links to the landing page's anchors: '' on the landing page itself. */
export function anchorPrefix(path: string): string {
	return path === '/' ? '' : '/';
}

export type LegalDocument = ReturnType<typeof legalDocuments>[number];

/** Returns the legal pages in the order of their links; `text` is the default text. */
export function legalDocuments(title: string) {
	return legalPages.map((page) => ({
		page,
		heading: m[`legal_${page}`](),
		description: m[`legal_${page}_description`]({ title }),
		text: m[`legal_${page}_text`]({ title }),
	}));
}
