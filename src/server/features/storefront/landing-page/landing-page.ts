import type { Locale } from '#contract/core/text.ts';
import {
	emptyLandingForm,
	type LandingAssets,
	type LandingForm,
	type RenderLanding,
} from '#contract/storefront/landing.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { FindPrerenderedPage } from '../../../platform/http/prerendered/serve-prerendered.ts';
import { isInAppBrowser } from '../../../platform/http/user-agent.ts';
import { type CheckoutPage, upiPaymentOf } from '../../orders/index.ts';
import type { PageCache, StorefrontData } from '../page-cache.ts';
import { contactOf } from '../storefront.service.ts';
import type { BuiltInVideos } from '../videos/built-in-videos.ts';
import { presentVideos } from '../videos/videos.service.ts';

/** The landing page, rendered by the built renderer. */
export interface LandingPage extends CheckoutPage {
	/**
	 * Returns the page with an empty form if it is already rendered, for a plain request that specifies at most its
	 * language.
	 */
	findCached: FindPrerenderedPage;
}

interface LandingParts {
	renderLanding: RenderLanding;
	landing: LandingAssets;
}

/** Locale by Cookie header, for requests without any other cookie. */
const localeCookies = new Map<string | undefined, Locale>([
	[undefined, 'en'],
	['lang=en', 'en'],
	['lang=hi', 'hi'],
]);

export function createLandingPage(
	deps: Deps,
	pages: PageCache,
	{ renderLanding, landing }: LandingParts,
	ownFilms: BuiltInVideos,
): LandingPage {
	const { PUBLIC_URL: publicUrl } = deps.config;
	const renderWith = (locale: Locale, form: LandingForm, isInApp: boolean) => (shop: StorefrontData) => {
		const { book, storefront, info, year } = shop;
		const contact = contactOf(storefront, info);
		const films = presentVideos(shop.videos, ownFilms, locale);
		const payment = upiPaymentOf(book);
		return renderLanding({ locale, book, contact, publicUrl, year, form, films, payment, isInApp }, landing);
	};
	return {
		render: (locale, form, isInApp) => pages.render(renderWith(locale, form, isInApp)),
		getCached: (locale, isInApp) =>
			pages.getPage(cacheKeyOf(locale, isInApp), renderWith(locale, emptyLandingForm, isInApp)),
		findCached({ method, url, headers }) {
			const locale = localeCookies.get(headers.cookie);
			if (url !== '/' || method !== 'GET' || locale === undefined) return null;
			return pages.findPage(cacheKeyOf(locale, isInAppBrowser(headers['user-agent'])));
		},
	};
}

const cacheKeys = {
	en: { true: 'landing en in an app', false: 'landing en' },
	hi: { true: 'landing hi in an app', false: 'landing hi' },
};

function cacheKeyOf(locale: Locale, isInApp: boolean): string {
	return cacheKeys[locale][`${isInApp}`];
}
