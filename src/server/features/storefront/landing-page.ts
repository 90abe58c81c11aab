import { bookDefaults, type PublicBook } from '#contract/settings/book-settings.ts';
import {
	emptyLandingForm,
	type LandingAssets,
	type LandingForm,
	type Locale,
	type RenderLanding,
} from '#contract/storefront/landing.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { dayOf } from '../../platform/format.ts';
import { getBook, presentPublicBook } from '../settings/settings.service.ts';
import { upiPaymentOf } from './upi-payment.ts';

/** The landing page, drawn once for each language and state of the settings. */
export interface LandingPage {
	draw(locale: Locale, form: LandingForm, isInApp: boolean): Promise<string>;
}

/**
 * Draws with the built renderer. Changed settings show at once: whatever was drawn before is forgotten when the bus
 * says so, on every process.
 */
export function createLandingPage(deps: Deps, render: RenderLanding, assets: LandingAssets): LandingPage {
	let drawn = new Map<string, string>();
	deps.bus.subscribe((message) => {
		if (message.kind === 'resync' || (message.kind === 'hint' && message.hint.topic === 'book-settings'))
			drawn = new Map();
	});

	return {
		async draw(locale, form, isInApp) {
			const year = Number(dayOf(isoAt(deps.clock), deps.config.TIME_ZONE).slice(0, 4));
			const pages = drawn;
			const key = `${locale} ${year} ${isInApp}`;
			const known = form === emptyLandingForm ? pages.get(key) : undefined;
			if (known !== undefined) return known;
			const loaded = await loadBook(deps);
			const book = loaded ?? bookDefaults;
			const { PUBLIC_URL: publicUrl } = deps.config;
			const html = render({ locale, book, publicUrl, year, form, payment: upiPaymentOf(book), isInApp }, assets);
			// Kept in the map of before the load: a change meanwhile has put a new map in its place.
			if (form === emptyLandingForm && loaded !== null) pages.set(key, html);
			return html;
		},
	};
}

/** Settings that cannot be loaded are logged, and the visitor sees the defaults. Source: the specification's section 8. */
async function loadBook(deps: Deps): Promise<PublicBook | null> {
	try {
		return presentPublicBook(await getBook(deps, deps.db));
	} catch (error) {
		deps.log.error({ err: error }, 'book settings not loaded');
		return null;
	}
}
