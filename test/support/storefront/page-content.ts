import { bookDefaults, type StorefrontBook } from '#contract/book/book-settings.ts';
import type { Locale } from '#contract/core/text.ts';
import type { Content, Template } from '#contract/storefront/content-fields.ts';
import type { PageContent } from '#contract/storefront/page-content.ts';
import { defaultContent } from '#server/features/storefront/content/content-values.ts';
import { presentContent } from '#server/features/storefront/content/page-content.presenter.ts';
import type { Pictures } from '#server/features/storefront/content/page-covers.ts';

export interface PageContentOptions {
	locale?: Locale;
	template?: Template;
	book?: StorefrontBook;
	changes?: Partial<Content>;
	pictures?: Pictures;
}

/** The content of a page: a template with changes. */
export function makePageContent({
	locale = 'en',
	template = 'build-your-empire',
	book = bookDefaults,
	changes = {},
	pictures = new Map(),
}: PageContentOptions = {}): PageContent {
	return presentContent({ ...defaultContent(template), ...changes }, book, locale, pictures);
}
