import type { Locale } from '#contract/core/text.ts';
import {
	emptyLandingForm,
	type LandingAssets,
	type LandingForm,
	type RenderLanding,
} from '#contract/storefront/landing.ts';
import type { Deps } from '../../../platform/deps.ts';
import { type CheckoutPage, upiPaymentOf } from '../../orders/index.ts';
import type { PageCache, StorefrontData } from '../page-cache.ts';
import { contactOf } from '../storefront.service.ts';
import type { BuiltInVideos } from '../videos/built-in-videos.ts';
import { presentVideos } from '../videos/videos.service.ts';

export function createLandingPage(
	deps: Deps,
	pages: PageCache,
	{ renderLanding, landing }: { renderLanding: RenderLanding; landing: LandingAssets },
	ownFilms: BuiltInVideos,
): CheckoutPage {
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
			pages.getPage(`landing ${locale}${isInApp ? ' in an app' : ''}`, renderWith(locale, emptyLandingForm, isInApp)),
	};
}
