import { bookDefaults } from '#contract/settings/book-settings.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import { m } from '#messages';

/** The book's title. The sample title has a Hindi name; a title of the owner's own stays as it was given. */
export function titleIn(locale: Locale, { title }: { title: string }): string {
	return title === bookDefaults.title ? m.landing_book_title({}, { locale }) : title;
}
