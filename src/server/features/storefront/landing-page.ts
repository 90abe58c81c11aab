import { bookDefaults, type PublicBook } from '#contract/settings/book-settings.ts';
import type { ShownFilms } from '#contract/storefront/film-parts.ts';
import {
	emptyLandingForm,
	type LandingAssets,
	type LandingForm,
	type Locale,
	type RenderLanding,
} from '#contract/storefront/landing.ts';
import { type Storefront, storefrontDefaults } from '#contract/storefront/storefront-settings.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { dayOf } from '../../platform/format.ts';
import type { OwnFilms } from '../../platform/http/own-films.ts';
import { findShownFilms, showOwnFilms } from '../settings/films.service.ts';
import { getBook, presentPublicBook } from '../settings/settings.service.ts';
import { contactOf, getStorefront } from '../settings/storefront.service.ts';
import { upiPaymentOf } from './upi-payment.ts';

/** The landing page, drawn once for each language and state of the settings. */
export interface LandingPage {
	draw(locale: Locale, form: LandingForm, isInApp: boolean): Promise<string>;
}

/**
 * Draws with the built renderer. Changed settings show at once: whatever was drawn before is forgotten when the bus
 * says so, on every process.
 */
export function createLandingPage(
	deps: Deps,
	render: RenderLanding,
	assets: LandingAssets,
	ownFilms: OwnFilms,
): LandingPage {
	let drawn = new Map<string, string>();
	deps.bus.subscribe((message) => {
		if (message.kind === 'resync' || (message.kind === 'hint' && message.hint.topic === 'book-settings'))
			drawn = new Map();
	});

	return {
		async draw(locale, form, isInApp) {
			const year = yearNow(deps);
			const pages = drawn;
			const key = `${locale} ${year} ${isInApp}`;
			const known = form === emptyLandingForm ? pages.get(key) : undefined;
			if (known !== undefined) return known;
			const shop = await loadShop(deps);
			const films = await loadFilms(deps, ownFilms, locale);
			const { book, storefront } = shop ?? { book: bookDefaults, storefront: storefrontDefaults };
			const contact = contactOf(storefront);
			const { PUBLIC_URL: publicUrl } = deps.config;
			const payment = upiPaymentOf(book);
			const html = render(
				{
					locale,
					book,
					contact,
					publicUrl,
					year,
					form,
					films: films ?? showOwnFilms(ownFilms, locale),
					payment,
					isInApp,
				},
				assets,
			);
			// Kept in the map of before the load: a change meanwhile has put a new map in its place.
			if (form === emptyLandingForm && shop !== null && films !== null) pages.set(key, html);
			return html;
		},
	};
}

/** What the storefront's pages are drawn from. */
export interface Shop {
	book: PublicBook;
	storefront: Storefront;
}

/** Settings that cannot be loaded are logged, and the visitor sees the defaults. Source: the specification's section 8. */
export async function loadShop(deps: Deps): Promise<Shop | null> {
	try {
		const [book, storefront] = await Promise.all([getBook(deps, deps.db), getStorefront(deps.db)]);
		return { book: presentPublicBook(book), storefront };
	} catch (error) {
		deps.log.error({ err: error }, 'settings of the storefront not loaded');
		return null;
	}
}

/** As {@link loadShop}: null when they cannot be loaded. */
export async function loadFilms(deps: Deps, ownFilms: OwnFilms, locale: Locale): Promise<ShownFilms | null> {
	try {
		return await findShownFilms(deps.db, ownFilms, locale);
	} catch (error) {
		deps.log.error({ err: error }, 'films of the storefront not loaded');
		return null;
	}
}

/** The year of the copyright line. */
export function yearNow(deps: Deps): number {
	return Number(dayOf(isoAt(deps.clock), deps.config.TIME_ZONE).slice(0, 4));
}
