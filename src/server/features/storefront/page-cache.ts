import type { ServerEvent } from '#contract/core/events.ts';
import type { SiteIdentity } from '#contract/storefront/site-identity.ts';
import { AppError } from '../../platform/app-error.ts';
import { readSettingsState } from '../../platform/database/settings.ts';
import type { Deps } from '../../platform/deps.ts';
import { startOfDay } from '../../platform/format.ts';
import { type PrerenderedPage, prerenderPage } from '../../platform/http/responses/prerendered-page.ts';
import { getNewestVersionNumber } from './content/content.queries.ts';
import { defaultContent } from './content/content-values.ts';
import { toSiteIdentity } from './site-identity.ts';
import { currentYear, defaultStorefrontData, loadStorefrontData, type StorefrontData } from './storefront-data.ts';

/** What visitors see, with the pages that are the same for all visitors, rendered and compressed once. */
interface Published {
	data: StorefrontData;
	identity: SiteIdentity;
	pages: Map<string, Promise<PrerenderedPage>>;
	/** Pages that cannot be rendered. */
	failed: Set<string>;
	/** The data with which each page was rendered last; shared with later loadings. */
	rendered: Map<string, StorefrontData>;
}

interface Cache {
	/** Null until the first request, and after a change. Concurrent requests wait for the same loading. */
	published: Promise<Published> | null;
	/** End of the year in milliseconds, because every page shows the year. */
	validUntilMs: number;
	/** What visitors were shown last. */
	last: StorefrontData | null;
	rendered: Published['rendered'];
}

const caches = new WeakMap<Deps, Cache>();

const invalidatingTopics: ReadonlySet<ServerEvent['topic']> = new Set(['book-settings', 'contact-info']);

/** Returns a rendered page from the cache of the published content. */
export async function getPage(deps: Deps, name: string, renderPage: (data: StorefrontData) => string) {
	const { pages } = await getPublished(deps);
	const known = pages.get(name);
	if (known !== undefined) return known;
	const page = renderPublished(deps, name, renderPage).then(prerenderPage);
	pages.set(name, page);
	page.catch(() => pages.delete(name));
	return page;
}

/**
 * Renders a page of what visitors see. If that fails, which is logged, the page has the content with which it was
 * rendered last, or the title, the price and the ways to pay, until the next change.
 */
export async function renderPublished(
	deps: Deps,
	name: string,
	renderPage: (data: StorefrontData) => string,
): Promise<string> {
	const { data, failed, rendered } = await getPublished(deps);
	if (!failed.has(name)) {
		try {
			const html = renderPage(data);
			rendered.set(name, data);
			return html;
		} catch (error) {
			if (error instanceof AppError) throw error;
			deps.log.error({ err: error, page: name }, 'the page cannot be rendered');
			failed.add(name);
		}
	}
	const { languages } = data.content;
	const last = rendered.get(name) ?? { ...data, content: { ...defaultContent('empty'), languages } };
	return renderPage({ ...last, props: data.props });
}

/** Returns the identity of the site, which is needed for every request, from memory. */
export async function getSiteIdentity(deps: Deps): Promise<SiteIdentity> {
	return (await getPublished(deps)).identity;
}

/** Returns what visitors see, from memory until the settings, the content or the year change. */
export function getPublished(deps: Deps): Promise<Published> {
	const cache = caches.get(deps) ?? createCache(deps);
	if (deps.clock.now().getTime() >= cache.validUntilMs) cache.published = null;
	cache.published ??= load(deps, cache);
	return cache.published;
}

/** Creates a cache that is emptied by events. A recheck finds changes whose event was lost. */
function createCache(deps: Deps): Cache {
	const cache: Cache = { published: null, validUntilMs: 0, last: null, rendered: new Map() };
	caches.set(deps, cache);
	let lastState = '';
	async function dropIfChanged(): Promise<void> {
		try {
			const state = `${await readSettingsState(deps.db)} ${await getNewestVersionNumber(deps.db)}`;
			if (state !== lastState) cache.published = null;
			lastState = state;
		} catch (error) {
			deps.log.warn({ err: error }, 'the settings cannot be checked for changes');
		}
	}
	deps.bus.subscribe((message) => {
		if (message.kind === 'resync' || (message.kind === 'event' && invalidatingTopics.has(message.event.topic)))
			cache.published = null;
		if (message.kind === 'recheck') void dropIfChanged();
	});
	return cache;
}

/**
 * Loads what visitors see. After a logged failure, they see what they were shown last, or the defaults if the process
 * has not shown anything (specification, section 8), and the next request tries again.
 */
async function load(deps: Deps, cache: Cache): Promise<Published> {
	cache.validUntilMs = Date.parse(startOfDay(`${currentYear(deps) + 1}-01-01`, deps.config.TIME_ZONE));
	let data: StorefrontData;
	try {
		data = await loadStorefrontData(deps, 'published');
		cache.last = data;
	} catch (error) {
		deps.log.error({ err: error }, 'the settings of the storefront cannot be loaded');
		data = cache.last ?? defaultStorefrontData(deps);
		cache.published = null;
	}
	return { data, identity: toSiteIdentity(data), pages: new Map(), failed: new Set(), rendered: cache.rendered };
}
