import { bookDefaults, type StorefrontBook } from '#contract/book/book-settings.ts';
import { listEditionKeys } from '#contract/book/editions.ts';
import type { Locale } from '#contract/core/text.ts';
import type { Content } from '#contract/storefront/content-fields.ts';
import type { PageCover, PagePicture } from '#contract/storefront/page-content.ts';
import { m } from '#messages';
import { defaultContent } from './content-values.ts';
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

/** Whether covers are drawn with the pyramid: no edition has an uploaded cover, and the title is short enough for it. */
export function drawsDefaultBook(content: Content, { title, offered }: PresentedBook): boolean {
	const titles = [title, content['book.title'].en, content['book.title'].hi];
	const words = titles.map((one) => one.split(/\s+/u));
	const isShort = words.every((parts) => parts.length <= 3 && parts.every((word) => word.length <= 9));
	const hasCover = listEditionKeys(offered).some((key) => content.covers[key] !== undefined);
	return content['covers.drawing'].style === 'pyramid' && !hasCover && isShort;
}

/** Returns the covers with their alternative text. */
export function presentCovers(content: Content, book: PresentedBook, locale: Locale, pictures: Pictures) {
	const isPyramid = drawsDefaultBook(content, book);
	const style = isPyramid ? 'pyramid' : 'plain';
	const covers = coverEditions(book.offered, locale).map(
		({ key, titleLocale, ...edition }): PageCover => ({
			...edition,
			title: localizedTitle(content, book.title, titleLocale),
			author: content.author[titleLocale],
			picture: pictures.get(content.covers[key] ?? '') ?? null,
			drawing: { ...content['covers.drawing'], style },
		}),
	);
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
