import {
	emptyLandingForm,
	type LandingAssets,
	type LandingForm,
	type Locale,
	type RenderLanding,
} from '#contract/storefront/landing.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { PrerenderedPage } from '../../../platform/http/prerendered/prerendered-page.ts';
import type { FindPrerenderedPage } from '../../../platform/http/prerendered/serve-prerendered.ts';
import { upiPaymentOf } from '../../orders/checkout/upi-payment.ts';
import type { PageCache, StorefrontData } from '../page-cache.ts';
import { contactOf } from '../storefront.service.ts';
import type { BuiltInVideos } from '../videos/built-in-videos.ts';
import { presentVideos } from '../videos/videos.service.ts';

/** The landing page as the built renderer draws it. */
export interface LandingPage {
	/** With something of one visitor's own in its form. */
	render(locale: Locale, form: LandingForm, isInApp: boolean): Promise<string>;
	/** As everybody first sees it. */
	getCached(locale: Locale, isInApp: boolean): Promise<PrerenderedPage>;
	/** The same for a request that says nothing else than which language it wants, if the page is drawn already. */
	findCached: FindPrerenderedPage;
}

interface LandingParts {
	renderLanding: RenderLanding;
	landing: LandingAssets;
}

/** The only cookie that the page looks at, alone. */
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

/** How the browsers inside other apps name themselves: Facebook and Messenger, Instagram, WhatsApp, LINE and so on. */
const inAppBrowserNames =
	/\b(?:FBAN|FBAV|FB_IAB|Instagram|WhatsApp|Line|Snapchat|Pinterest|LinkedInApp|Twitter|TwitterAndroid|Telegram|MicroMessenger|musical_ly|BytedanceWebview|ShareChat|Moj)\b/u;
/** Android's WebView says so in any app (Chrome's notes on the WebView's user agent). */
const webView = /; wv\)/u;

/** Whether a page is read inside another app. A guess, and only ever for a hint. */
export function isInAppBrowser(userAgent: string | undefined): boolean {
	return userAgent !== undefined && (inAppBrowserNames.test(userAgent) || webView.test(userAgent));
}
