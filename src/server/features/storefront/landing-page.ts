import {
	emptyLandingForm,
	type LandingAssets,
	type LandingForm,
	type Locale,
	type RenderLanding,
} from '#contract/storefront/landing.ts';
import type { Deps } from '../../platform/deps.ts';
import type { FindReadyPage } from '../../platform/http/front-door.ts';
import type { OwnFilms } from '../../platform/http/own-films.ts';
import type { ReadyPage } from '../../platform/http/ready-page.ts';
import { showFilms } from '../settings/films.service.ts';
import { contactOf } from '../settings/storefront.service.ts';
import { isInAppBrowser } from './in-app-browser.ts';
import type { Shop, ShopPages } from './shop-pages.ts';
import { upiPaymentOf } from './upi-payment.ts';

/** The landing page as the built renderer draws it. */
export interface LandingPage {
	/** With something of one visitor's own in its form. */
	draw(locale: Locale, form: LandingForm, isInApp: boolean): Promise<string>;
	/** As everybody first sees it. */
	ready(locale: Locale, isInApp: boolean): Promise<ReadyPage>;
	/** The same for a request that says nothing else than which language it wants, if the page is drawn already. */
	find: FindReadyPage;
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
	pages: ShopPages,
	{ renderLanding, landing }: LandingParts,
	ownFilms: OwnFilms,
): LandingPage {
	const { PUBLIC_URL: publicUrl } = deps.config;
	const drawing = (locale: Locale, form: LandingForm, isInApp: boolean) => (shop: Shop) => {
		const { book, storefront, info, year } = shop;
		const contact = contactOf(storefront, info);
		const films = showFilms(shop.films, ownFilms, locale);
		const payment = upiPaymentOf(book);
		return renderLanding({ locale, book, contact, publicUrl, year, form, films, payment, isInApp }, landing);
	};
	return {
		draw: (locale, form, isInApp) => pages.draw(drawing(locale, form, isInApp)),
		ready: (locale, isInApp) => pages.ready(nameOf(locale, isInApp), drawing(locale, emptyLandingForm, isInApp)),
		find({ method, url, headers }) {
			const locale = localeCookies.get(headers.cookie);
			if (url !== '/' || method !== 'GET' || locale === undefined) return null;
			return pages.findReady(nameOf(locale, isInAppBrowser(headers['user-agent'])));
		},
	};
}

const names = {
	en: { true: 'landing en in an app', false: 'landing en' },
	hi: { true: 'landing hi in an app', false: 'landing hi' },
};

function nameOf(locale: Locale, isInApp: boolean): string {
	return names[locale][`${isInApp}`];
}
