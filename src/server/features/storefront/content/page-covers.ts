import { bookDefaults, type StorefrontBook } from '#contract/book/book-settings.ts';
import type { Locale } from '#contract/core/text.ts';
import type { Content } from '#contract/storefront/content-fields.ts';
import type { PageContent, PageCover, PagePicture } from '#contract/storefront/page-content.ts';
import { m } from '#messages';
import { defaultContent } from './default-content.ts';
import { coverEditions, presentEditionTexts } from './edition-texts.ts';

export type PresentedBook = Pick<StorefrontBook, 'title' | 'discountedPrice' | 'offered'>;

/** Uploaded pictures by ID. */
export type Pictures = ReadonlyMap<string, PagePicture>;

/** Returns the title of the book in a language. The default title's translation is for the default title only. */
export function localizedTitle(content: Content, title: string, locale: Locale): string {
	const own = content['book.title'][locale];
	const isDefaultTranslation = own === defaultContent('build-your-empire')['book.title'][locale];
	return own === '' || (isDefaultTranslation && title !== bookDefaults.title) ? title : own;
}

/** Whether the pyramid is shown: on drawn covers, and as far as its cover has space for the title. */
export function drawsDefaultBook(content: Content, title: string): boolean {
	const titles = [title, content['book.title'].en, content['book.title'].hi];
	const words = titles.map((one) => one.split(/\s+/u));
	const isShort = words.every((parts) => parts.length <= 3 && parts.every((word) => word.length <= 9));
	return content['covers.drawing'].style === 'pyramid' && Object.keys(content.covers).length === 0 && isShort;
}

/** Returns the covers with their alternative text. */
export function presentCovers(
	content: Content,
	book: PresentedBook,
	locale: Locale,
	pictures: Pictures,
): Pick<PageContent, 'covers' | 'coversAlt'> {
	const isPyramid = drawsDefaultBook(content, book.title);
	const style = isPyramid ? 'pyramid' : 'plain';
	const covers = coverEditions(book.offered, locale).map(({ key, language, part, languageName }): PageCover => {
		const titleLocale = language === 'en' || language === 'hi' ? language : locale;
		return {
			language,
			part,
			languageName,
			title: localizedTitle(content, book.title, titleLocale),
			author: content.author[titleLocale],
			picture: pictures.get(content.covers[key] ?? '') ?? null,
			drawing: { ...content['covers.drawing'], style },
		};
	});
	if (isPyramid) {
		const { drawnCoversAlt } = presentEditionTexts(book.offered, locale, '');
		return { covers, coversAlt: drawnCoversAlt };
	}
	const title = localizedTitle(content, book.title, locale);
	const names = covers.map(({ part, languageName }) => [part?.name, languageName].filter(Boolean).join(', '));
	const list = names.join(locale === 'hi' ? ' और ' : ' and ');
	const coversAlt =
		covers.length === 1
			? m.landing_cover_alt({ title }, { locale })
			: m.landing_covers_alt({ title, names: list }, { locale });
	return { covers, coversAlt };
}
