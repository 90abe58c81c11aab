import type { Locale } from '#contract/storefront/landing.ts';
import type { StorefrontContact } from '#contract/storefront/storefront-settings.ts';
import { m } from '#messages';

/** A link to whoever sells: their email address, else their chat; null while the owner has named neither. */
export function reachOf(
	locale: Locale,
	{ contactEmail, chatUrl }: StorefrontContact,
	subject = '',
): { href: string; text: string } | null {
	const about = subject === '' ? '' : `?subject=${encodeURIComponent(subject)}`;
	if (contactEmail !== '') return { href: `mailto:${contactEmail}${about}`, text: contactEmail };
	return chatUrl === '' ? null : { href: chatUrl, text: m.landing_footer_chat({}, { locale }) };
}
