import {
	emptyLandingForm,
	type LandingAssets,
	type LandingForm,
	type Locale,
	type RenderLanding,
} from '#contract/storefront/landing.ts';
import type { Deps } from '../../platform/deps.ts';
import type { OwnFilms } from '../../platform/http/own-films.ts';
import type { ReadyPage } from '../../platform/http/ready-page.ts';
import { showFilms } from '../settings/films.service.ts';
import { contactOf } from '../settings/storefront.service.ts';
import type { Shop, ShopPages } from './shop-pages.ts';
import { upiPaymentOf } from './upi-payment.ts';

/** The landing page as the built renderer draws it. */
export interface LandingPage {
	/** With something of one visitor's own in its form. */
	draw(locale: Locale, form: LandingForm, isInApp: boolean): Promise<string>;
	/** As everybody first sees it. */
	ready(locale: Locale, isInApp: boolean): Promise<ReadyPage>;
}

interface LandingParts {
	renderLanding: RenderLanding;
	landing: LandingAssets;
}

export function createLandingPage(
	deps: Deps,
	pages: ShopPages,
	{ renderLanding, landing }: LandingParts,
	ownFilms: OwnFilms,
): LandingPage {
	const { PUBLIC_URL: publicUrl } = deps.config;
	const drawing = (locale: Locale, form: LandingForm, isInApp: boolean) => (shop: Shop) => {
		const { book, storefront, year } = shop;
		const contact = contactOf(storefront);
		const films = showFilms(shop.films, ownFilms, locale);
		const payment = upiPaymentOf(book);
		return renderLanding({ locale, book, contact, publicUrl, year, form, films, payment, isInApp }, landing);
	};
	return {
		draw: (locale, form, isInApp) => pages.draw(drawing(locale, form, isInApp)),
		ready: (locale, isInApp) => pages.ready(`landing ${locale} ${isInApp}`, drawing(locale, emptyLandingForm, isInApp)),
	};
}
