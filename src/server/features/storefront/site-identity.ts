import { type Locale, locales } from '#contract/core/text.ts';
import type { Deps } from '../../platform/deps.ts';
import type { SiteIdentity } from '../../platform/site-identity.ts';
import { loadStorefrontData, type StorefrontData, toPageProps } from './page-cache.ts';

/** `--accent-fill` of tokens.css. */
const defaultAccent = '#f0a63a';

const caches = new WeakMap<Deps, { identity: Promise<SiteIdentity> | null }>();

/** Returns the identity, which is needed for every request, from memory until something is published. */
export function getSiteIdentity(deps: Deps): Promise<SiteIdentity> {
	const cache = caches.get(deps) ?? createCache(deps);
	cache.identity ??= load(deps, cache);
	return cache.identity;
}

function createCache(deps: Deps) {
	const cache: { identity: Promise<SiteIdentity> | null } = { identity: null };
	caches.set(deps, cache);
	deps.bus.subscribe((message) => {
		if (message.kind !== 'event' || message.event.topic === 'book-settings') cache.identity = null;
	});
	return cache;
}

async function load(deps: Deps, cache: { identity: Promise<SiteIdentity> | null }): Promise<SiteIdentity> {
	const { data, isFallback } = await loadStorefrontData(deps);
	if (isFallback) cache.identity = null;
	return toIdentity(data);
}

function toIdentity(data: StorefrontData): SiteIdentity {
	const { content, pictures } = data;
	// In a language that the storefront does not have, the workspace names the site as its first language does.
	const shownLocale = (locale: Locale) =>
		(content.languages.includes(locale) ? locale : content.languages[0]) ?? locale;
	const pages = Object.fromEntries(locales.map((locale) => [locale, toPageProps(data, shownLocale(locale)).content]));
	const texts = Object.fromEntries(
		locales.map((locale) => {
			const { wordmark = '', bookTitle = '', author = '' } = pages[locale] ?? {};
			return [locale, { wordmark, bookTitle, author }];
		}),
	) as Record<Locale, { wordmark: string; bookTitle: string; author: string }>;
	const { ground, ink } = content['covers.drawing'];
	return {
		languages: content.languages,
		icon: pages.en?.icon ?? null,
		hasDefaultDrawings: pages.en?.hasDefaultDrawings ?? true,
		colors: { accent: content['colors.accent'] ?? defaultAccent, ground, ink },
		title: data.props.book.title,
		covers: Object.fromEntries(
			Object.entries(content.covers).flatMap(([key, id]) => {
				const picture = pictures.get(id);
				return picture === undefined ? [] : [[key, picture.src]];
			}),
		),
		excerptCount: pages.en?.excerpts.items.length ?? 0,
		texts,
	};
}
