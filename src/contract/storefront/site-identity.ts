import type { Locale } from '../core/text.ts';
import type { ContactInfo } from '../settings/site-settings.ts';

/**
 * Name and appearance of the site outside the storefront's pages: in mails, error pages, the workspace and installed
 * apps. The workspace reads it from a meta element of its page.
 */
export interface SiteIdentity {
	/** Languages of the storefront. The first is for visitors who prefer none of them. */
	languages: readonly Locale[];
	/** URL of the icon; null for the icon of the default book. */
	icon: string | null;
	/** Whether drawings of the default book are shown. */
	hasDefaultDrawings: boolean;
	/** `ground` and `ink` are the colours of drawn covers. */
	colors: { accent: string; ground: string; ink: string };
	/** Title of the book settings. */
	title: string;
	/** URLs of uploaded covers, by edition key. */
	covers: Readonly<Record<string, string>>;
	/** Shown to visitors on the storefront. */
	contact: ContactInfo;
	/** Number of excerpts on the landing page. */
	excerptCount: number;
	texts: Record<Locale, { wordmark: string; bookTitle: string; author: string }>;
}

/** Translates the title of a book or order. An earlier title of the book has no translation, and is returned as it is. */
export function localizeTitle({ title, texts }: SiteIdentity, storedTitle: string, locale: Locale): string {
	return storedTitle === title ? texts[locale].bookTitle : storedTitle;
}
