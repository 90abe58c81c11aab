import { bookDefaults, type PublicBook } from '#contract/book/book-settings.ts';
import type { ServerEvent } from '#contract/core/events.ts';
import { type ContactInfo, noContactInfo } from '#contract/settings/site-settings.ts';
import { type Storefront, storefrontDefaults } from '#contract/storefront/storefront-settings.ts';
import { isoAt } from '../../platform/clock.ts';
import { readSettingsState } from '../../platform/database/settings.ts';
import type { Deps } from '../../platform/deps.ts';
import { dayOf, startOfDay } from '../../platform/format.ts';
import { type PrerenderedPage, prerenderPage } from '../../platform/http/responses/prerendered-page.ts';
import { getBook, presentPublicBook } from '../book/index.ts';
import { getContactInfo } from '../settings/index.ts';
import { getStorefront } from './storefront.service.ts';
import { getStoredVideos, noStoredVideos, type StoredVideos } from './videos/videos.service.ts';

export interface StorefrontData {
	book: PublicBook;
	storefront: Storefront;
	info: ContactInfo;
	videos: StoredVideos;
	/** The year of the copyright line. */
	year: number;
}

/** Topics after which these pages have to be rendered again. */
const invalidatingTopics: ReadonlySet<ServerEvent['topic']> = new Set(['book-settings', 'contact-info']);

/** Cache of the storefront's pages that contain no visitor's own data. */
export interface PageCache {
	render(renderPage: (shop: StorefrontData) => string): Promise<string>;
	/** Returns the page with this name, rendered and compressed once for each state of the settings. */
	getPage(name: string, renderPage: (shop: StorefrontData) => string): Promise<PrerenderedPage>;
}

/** Caches rendered pages until an event, or a recheck after a lost event, shows that the settings changed. */
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
			// Keeps this map: a change of the settings during the loading replaces `cached`, so no outdated page is kept.
			const pages = cached;
			const known = pages.get(name);
			if (known !== undefined) return known;
			const rendering = loadStorefrontData(deps).then((shop) => {
				if (shop === null) pages.delete(name);
				return prerenderPage(renderPage(shop ?? defaultStorefrontData(deps)));
			});
			// Concurrent requests wait for the same rendering.
			pages.set(name, rendering);
			rendering.catch(() => pages.delete(name));
			return rendering;
		},
	};
}

/** Loads the data; null after a logged failure, so that visitors see the defaults (specification, section 8). */
async function loadStorefrontData(deps: Deps): Promise<StorefrontData | null> {
	try {
		const loading = [
			getBook(deps, deps.db),
			getStorefront(deps.db),
			getContactInfo(deps.db),
			getStoredVideos(deps.db),
		] as const;
		const [book, storefront, info, videos] = await Promise.all(loading);
		return { book: presentPublicBook(book), storefront, info, videos, year: currentYear(deps) };
	} catch (error) {
		deps.log.error({ err: error }, 'the settings of the storefront cannot be loaded');
		return null;
	}
}

function defaultStorefrontData(deps: Deps): StorefrontData {
	return {
		book: bookDefaults,
		storefront: storefrontDefaults,
		info: noContactInfo,
		videos: noStoredVideos,
		year: currentYear(deps),
	};
}

function currentYear(deps: Deps): number {
	return Number(dayOf(isoAt(deps.clock), deps.config.TIME_ZONE).slice(0, 4));
}
