import type { FastifyInstance } from 'fastify';
import { bookDefaults, type PublicBook } from '#contract/book/book-settings.ts';
import type { ServerEvent } from '#contract/core/events.ts';
import type { Locale } from '#contract/core/text.ts';
import { type ContactInfo, noContactInfo } from '#contract/settings/site-settings.ts';
import {
	emptyLandingForm,
	type LandingAssets,
	type LandingForm,
	type PageProps,
} from '#contract/storefront/landing.ts';
import type { StorefrontRenderers } from '#contract/storefront/renderers.ts';
import { type Storefront, storefrontDefaults } from '#contract/storefront/storefront-settings.ts';
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
import { getBook, presentPublicBook } from '../book/index.ts';
import { type CheckoutPage, upiPaymentOf } from '../orders/index.ts';
import { getContactInfo } from '../settings/index.ts';
import { contactOf, getStorefront } from './storefront.service.ts';
import type { BuiltInVideos } from './videos/built-in-videos.ts';
import { getVideos, noStoredVideos, presentVideos, type StoredVideos } from './videos/videos.service.ts';

export interface StorefrontData {
	props: Omit<PageProps, 'locale'>;
	legal: Storefront['legal'];
	videos: StoredVideos;
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
			const state = await readSettingsState(deps.db);
			if (state !== lastState) cached = new Map();
			lastState = state;
		} catch (error) {
			deps.log.warn({ err: error }, 'the settings cannot be checked for changes');
		}
	}

	return {
		render: async (renderPage) => renderPage((await loadStorefrontData(deps)) ?? defaultStorefrontData(deps)),
		getPage(name, renderPage) {
			if (deps.clock.now().getTime() >= cachedUntilMs) {
				cached = new Map();
				cachedUntilMs = Date.parse(startOfDay(`${currentYear(deps) + 1}-01-01`, deps.config.TIME_ZONE));
			}
			// A change of the settings during the loading replaces `cached`, so the outdated page stays in an unused map.
			const pages = cached;
			const known = pages.get(name);
			if (known !== undefined) return known;
			const rendering = loadStorefrontData(deps).then((data) => {
				if (data === null) pages.delete(name);
				return prerenderPage(renderPage(data ?? defaultStorefrontData(deps)));
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
	renderPage: (data: StorefrontData, locale: Locale) => string,
	headers: Record<string, string> = {},
): void {
	app.get(path, { config: { access: 'public' } }, async (request, reply) => {
		saveLocaleCookie(deps, request, reply);
		const { locale } = request.caller;
		const page = await pages.getPage(`${path} ${locale}`, (data) => renderPage(data, locale));
		return sendPrerenderedPage(request, reply.headers(headers), page);
	});
}

export function createLandingPage(
	pages: PageCache,
	{ renderLanding, landing }: Pick<StorefrontRenderers, 'renderLanding'> & { landing: LandingAssets },
	ownFilms: BuiltInVideos,
): CheckoutPage {
	const renderWith = (locale: Locale, form: LandingForm, isInApp: boolean) => (data: StorefrontData) => {
		const films = presentVideos(data.videos, ownFilms, locale);
		const payment = upiPaymentOf(data.props.book);
		return renderLanding({ ...data.props, locale, form, films, payment, isInApp }, landing);
	};
	return {
		render: (locale, form, isInApp) => pages.render(renderWith(locale, form, isInApp)),
		getCached: (locale, isInApp) =>
			pages.getPage(`landing ${locale}${isInApp ? ' in an app' : ''}`, renderWith(locale, emptyLandingForm, isInApp)),
	};
}

/** Loads the data; null after a logged failure, so that visitors see the defaults (specification, section 8). */
async function loadStorefrontData(deps: Deps): Promise<StorefrontData | null> {
	try {
		const [book, storefront, info, { films }] = await Promise.all([
			getBook(deps, deps.db),
			getStorefront(deps.db),
			getContactInfo(deps.db),
			getVideos(deps.db),
		]);
		return toStorefrontData(deps, presentPublicBook(book), storefront, info, films);
	} catch (error) {
		deps.log.error({ err: error }, 'the settings of the storefront cannot be loaded');
		return null;
	}
}

function defaultStorefrontData(deps: Deps): StorefrontData {
	return toStorefrontData(deps, bookDefaults, storefrontDefaults, noContactInfo, noStoredVideos);
}

function toStorefrontData(
	deps: Deps,
	book: PublicBook,
	storefront: Storefront,
	info: ContactInfo,
	videos: StoredVideos,
): StorefrontData {
	const contact = contactOf(storefront, info);
	const props = { book, contact, publicUrl: deps.config.PUBLIC_URL, year: currentYear(deps) };
	return { props, legal: storefront.legal, videos };
}

function currentYear(deps: Deps): number {
	return Number(dayOf(isoAt(deps.clock), deps.config.TIME_ZONE).slice(0, 4));
}
