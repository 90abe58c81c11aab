import { bookDefaults } from '#contract/book/book-settings.ts';
import type { Locale } from '#contract/core/text.ts';
import type { StorefrontContact } from '#contract/storefront/storefront-settings.ts';
import { m } from '#messages';
import { mailHref } from '../../platform/formats/contact-links.ts';

/** A link to the seller: their email address, otherwise their chat; null if the owner has set neither. */
export function contactLink(
	locale: Locale,
	{ email, chatUrl }: StorefrontContact,
	subject = '',
): { href: string; text: string } | null {
	const subjectQuery = subject === '' ? '' : `?subject=${encodeURIComponent(subject)}`;
	if (email !== '') return { href: `${mailHref(email)}${subjectQuery}`, text: email };
	return chatUrl === '' ? null : { href: chatUrl, text: m.landing_footer_chat({}, { locale }) };
}

/** The book's title. The sample title has a Hindi name; a title of the owner's own stays as it was given. */
export function localizedTitle(locale: Locale, { title }: { title: string }): string {
	return title === bookDefaults.title ? m.landing_book_title({}, { locale }) : title;
}

/** What comes before an anchor of the landing page: nothing on that page itself. */
export function anchorPrefix(path: string): string {
	return path === '/' ? '' : '/';
}
