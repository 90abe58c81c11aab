import type { Locale } from '#contract/storefront/landing.ts';
import type { StorefrontContact } from '#contract/storefront/storefront-settings.ts';
import { m } from '#messages';
import { mailHref } from '../ui/contact-links.ts';

/** A link to whoever sells: their email address, else their chat; null while the owner has named neither. */
export function reachOf(
	locale: Locale,
	{ email, chatUrl }: StorefrontContact,
	subject = '',
): { href: string; text: string } | null {
	const about = subject === '' ? '' : `?subject=${encodeURIComponent(subject)}`;
	if (email !== '') return { href: `${mailHref(email)}${about}`, text: email };
	return chatUrl === '' ? null : { href: chatUrl, text: m.landing_footer_chat({}, { locale }) };
}
