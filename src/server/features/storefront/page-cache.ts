import type { FastifyInstance } from 'fastify';
import { bookDefaults, type StorefrontBook } from '#contract/book/book-settings.ts';
import type { ServerEvent } from '#contract/core/events.ts';
import type { Locale } from '#contract/core/text.ts';
import { type ContactInfo, noContactInfo } from '#contract/settings/site-settings.ts';
import type { Content } from '#contract/storefront/content-fields.ts';
import {
	emptyLandingForm,
	type LandingAssets,
	type LandingForm,
	type PageProps,
} from '#contract/storefront/landing.ts';
import type { PagePicture } from '#contract/storefront/page-content.ts';
import type { StorefrontRenderers } from '#contract/storefront/renderers.ts';
import { isoAt } from '../../platform/clock.ts';
import { readSettingsState } from '../../platform/database/settings.ts';
import type { Deps } from '../../platform/deps.ts';
import { dayOf, startOfDay } from '../../platform/format.ts';
import {
	type PrerenderedPage,
	prerenderPage,
	sendPrerenderedPage,
} from '../../platform/http/responses/prerendered-page.ts';
import { saveLocaleCookie } from '../../platform/http/screens.ts';
import { storefrontLocale } from '../../platform/site-identity.ts';
import { getBook, presentStorefrontBook } from '../book/index.ts';
import { type CheckoutPage, upiPaymentOf } from '../orders/index.ts';
import { getContactInfo } from '../settings/index.ts';
import { getNewestVersionNumber, listFieldRows } from './content/content.queries.ts';
import { contactOf } from './content/content.service.ts';
import { type ContentState, resolveContent, storedValuesOf } from './content/content-values.ts';
import { presentContent } from './content/page-content.presenter.ts';
import { fileIdsIn, getPagePictures } from './content-files/content-files.service.ts';
import type { BuiltInVideos } from './videos/built-in-videos.ts';
import { presentVideos } from './videos/videos.service.ts';

export interface StorefrontData {
	props: Omit<PageProps, 'locale' | 'content'>;
	content: Content;
	/** Uploaded pictures to which the content refers, by ID. */
	pictures: ReadonlyMap<string, PagePicture>;
}

const invalidatingTopics: ReadonlySet<ServerEvent['topic']> = new Set(['book-settings', 'contact-info']);

/** Renders the storefront's pages and caches those that are the same for all visitors. */
export interface PageCache {
	render(renderPage: (data: StorefrontData) => string): Promise<string>;
	/** Returns a page that is rendered and compressed once for each state of the settings. */
	getPage(name: string, renderPage: (data: StorefrontData) => string): Promise<PrerenderedPage>;
}

/** Caches rendered pages until the settings or the year change. A recheck finds changes whose event was lost. */
export function createPageCache(deps: Deps): PageCache {
	let cached = new Map<string, Promise<PrerenderedPage>>();
	/** End of the current year in milliseconds, because every page shows the year. */
	let cachedUntilMs = 0;
	deps.bus.subscribe((message) => {
		if (message.kind === 'resync' || (message.kind === 'event' && invalidatingTopics.has(message.event.topic)))
			cached = new Map();
		if (message.kind === 'recheck') void dropIfChanged();
	});

	let lastState = '';
	async function dropIfChanged(): Promise<void> {
		try {
			const state = `${await readSettingsState(deps.db)} ${await getNewestVersionNumber(deps.db)}`;
			if (state !== lastState) cached = new Map();
			lastState = state;
		} catch (error) {
			deps.log.warn({ err: error }, 'the settings cannot be checked for changes');
		}
	}

	return {
		render: async (renderPage) => renderPage((await loadStorefrontData(deps)).data),
		getPage(name, renderPage) {
			if (deps.clock.now().getTime() >= cachedUntilMs) {
				cached = new Map();
				cachedUntilMs = Date.parse(startOfDay(`${currentYear(deps) + 1}-01-01`, deps.config.TIME_ZONE));
			}
			// A change of the settings during the loading replaces `cached`, so the outdated page stays in an unused map.
			const pages = cached;
			const known = pages.get(name);
			if (known !== undefined) return known;
			const rendering = loadStorefrontData(deps).then(({ data, isFallback }) => {
				if (isFallback) pages.delete(name);
				return prerenderPage(renderPage(data));
			});
			// Concurrent requests wait for the same rendering.
			pages.set(name, rendering);
			rendering.catch(() => pages.delete(name));
			return rendering;
		},
	};
}

export function registerPage(
	app: FastifyInstance,
	deps: Deps,
	pages: PageCache,
	path: string,
	renderPage: (props: PageProps, data: StorefrontData) => string,
	headers: Record<string, string> = {},
): void {
	app.get(path, { config: { access: 'public' } }, async (request, reply) => {
		const locale = await storefrontLocale(deps, request);
		saveLocaleCookie(deps, request, reply, locale);
		const page = await pages.getPage(`${path} ${locale}`, (data) => renderPage(toPageProps(data, locale), data));
		return sendPrerenderedPage(request, reply.headers(headers), page);
	});
}

export function createLandingPage(
	pages: PageCache,
	{ renderLanding, landing }: Pick<StorefrontRenderers, 'renderLanding'> & { landing: LandingAssets },
	ownFilms: BuiltInVideos,
): CheckoutPage {
	const renderWith = (locale: Locale, form: LandingForm, isInApp: boolean) => (data: StorefrontData) => {
		const films = presentVideos(data.content, ownFilms, locale);
		const payment = upiPaymentOf(data.props.book);
		return renderLanding({ ...toPageProps(data, locale), form, films, payment, isInApp }, landing);
	};
	return {
		render: (locale, form, isInApp) => pages.render(renderWith(locale, form, isInApp)),
		getCached: (locale, isInApp) =>
			pages.getPage(`landing ${locale}${isInApp ? ' in an app' : ''}`, renderWith(locale, emptyLandingForm, isInApp)),
	};
}

/** Returns what a page in one language shows. */
export function toPageProps({ props, content, pictures }: StorefrontData, locale: Locale): PageProps {
	return { ...props, locale, content: presentContent(content, props.book, locale, pictures) };
}

/** What visitors were shown last. */
const lastPublished = new WeakMap<Deps, StorefrontData>();

/**
 * Loads the data. After a logged failure, visitors see what they were shown last, or the defaults if the process has
 * not shown anything (specification, section 8).
 */
export async function loadStorefrontData(
	deps: Deps,
	state: ContentState = 'published',
): Promise<{ data: StorefrontData; isFallback: boolean }> {
	try {
		const [book, contactInfo, rows] = await Promise.all([
			getBook(deps, deps.db),
			getContactInfo(deps.db),
			listFieldRows(deps.db),
		]);
		const stored = storedValuesOf(rows, state);
		const pictures = await getPagePictures(deps.db, fileIdsIn(stored));
		const content = resolveContent(stored, deps.log);
		const data = toStorefrontData(deps, presentStorefrontBook(book), content, contactInfo, pictures);
		if (state === 'published') lastPublished.set(deps, data);
		return { data, isFallback: false };
	} catch (error) {
		deps.log.error({ err: error }, 'the settings of the storefront cannot be loaded');
		return { data: lastPublished.get(deps) ?? defaultStorefrontData(deps), isFallback: true };
	}
}

function defaultStorefrontData(deps: Deps): StorefrontData {
	return toStorefrontData(deps, bookDefaults, resolveContent(new Map()), noContactInfo, new Map());
}

function toStorefrontData(
	deps: Deps,
	book: StorefrontBook,
	content: Content,
	contactInfo: ContactInfo,
	pictures: StorefrontData['pictures'],
): StorefrontData {
	const contact = contactOf(content, contactInfo);
	const props = { book, contact, publicUrl: deps.config.PUBLIC_URL, year: currentYear(deps) };
	return { props, content, pictures };
}

function currentYear(deps: Deps): number {
	return Number(dayOf(isoAt(deps.clock), deps.config.TIME_ZONE).slice(0, 4));
}
