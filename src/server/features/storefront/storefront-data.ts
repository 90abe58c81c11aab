import { bookDefaults, type StorefrontBook } from '#contract/book/book-settings.ts';
import type { Locale } from '#contract/core/text.ts';
import { type ContactInfo, noContactInfo } from '#contract/settings/site-settings.ts';
import type { Content } from '#contract/storefront/content-fields.ts';
import type { PageProps } from '#contract/storefront/landing.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { dayOf } from '../../platform/format.ts';
import { getBook, presentStorefrontBook } from '../book/index.ts';
import { getContactInfo } from '../settings/index.ts';
import { listFieldRows } from './content/content.queries.ts';
import { type ContentState, replaceMailPromises, resolveContent, storedValuesOf } from './content/content-values.ts';
import { presentContent } from './content/page-content.presenter.ts';
import type { Pictures } from './content/page-covers.ts';
import { fileIdsIn, getPagePictures } from './content-files/content-files.service.ts';

/** What the pages of the storefront show, in every language. */
export interface StorefrontData {
	props: Omit<PageProps, 'locale' | 'content'>;
	content: Content;
	/** Uploaded pictures to which the content refers. */
	pictures: Pictures;
}

export async function loadStorefrontData(deps: Deps, state: ContentState): Promise<StorefrontData> {
	const [book, contactInfo, rows] = await Promise.all([
		getBook(deps, deps.db),
		getContactInfo(deps.db),
		listFieldRows(deps.db),
	]);
	const stored = storedValuesOf(rows, state);
	const pictures = await getPagePictures(deps.db, fileIdsIn(stored));
	return toStorefrontData(deps, presentStorefrontBook(book), resolveContent(stored, deps.log), contactInfo, pictures);
}

export function defaultStorefrontData(deps: Deps): StorefrontData {
	return toStorefrontData(deps, bookDefaults, resolveContent(new Map()), noContactInfo, new Map());
}

function toStorefrontData(
	deps: Deps,
	book: StorefrontBook,
	content: Content,
	{ email, phone }: ContactInfo,
	pictures: Pictures,
): StorefrontData {
	const sendsMail = deps.config.SMTP_URL !== undefined;
	const contact = { socialLinks: content['links.social'], chatUrl: content['links.chat'], sendsMail, email, phone };
	const props = { book, contact, publicUrl: deps.config.PUBLIC_URL, year: currentYear(deps) };
	return { props, content: sendsMail ? content : replaceMailPromises(content), pictures };
}

export function currentYear(deps: Deps): number {
	return Number(dayOf(isoAt(deps.clock), deps.config.TIME_ZONE).slice(0, 4));
}

/** Returns what a page in one language shows. */
export function toPageProps({ props, content, pictures }: StorefrontData, locale: Locale): PageProps {
	return { ...props, locale, content: presentContent(content, props.book, locale, pictures) };
}
