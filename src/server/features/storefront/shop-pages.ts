import type { Hint } from '#contract/core/events.ts';
import { bookDefaults, type PublicBook } from '#contract/settings/book-settings.ts';
import { type ContactInfo, noContactInfo } from '#contract/settings/contact-info.ts';
import { type Storefront, storefrontDefaults } from '#contract/storefront/storefront-settings.ts';
import { readSettingsState } from '../../db/settings.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { dayOf, startOfDay } from '../../platform/format.ts';
import { packPage, type ReadyPage } from '../../platform/http/ready-page.ts';
import { getContactInfo } from '../settings/contact-info.service.ts';
import { nothingStored, readFilms, type StoredFilms } from '../settings/films.service.ts';
import { getBook, presentPublicBook } from '../settings/settings.service.ts';
import { getStorefront } from '../settings/storefront.service.ts';

/** What the storefront's pages are drawn from. */
export interface Shop {
	book: PublicBook;
	storefront: Storefront;
	info: ContactInfo;
	/** The owner's films; as the settings keep them. */
	films: StoredFilms;
	/** The year of the copyright line. */
	year: number;
}

/** What is changed, as the bus tells it, where these pages must be drawn anew. */
const shownTopics: ReadonlySet<Hint['topic']> = new Set(['book-settings', 'contact-info']);

/** The storefront's pages that hold nothing of one visitor's own. */
export interface ShopPages {
	/** Draws a page anew. */
	draw(drawIt: (shop: Shop) => string): Promise<string>;
	/** The page by this name, drawn and packed once for each state of the settings. */
	ready(name: string, drawIt: (shop: Shop) => string): Promise<ReadyPage>;
	/** The same, if it is there already. */
	findReady(name: string): ReadyPage | null;
}

/**
 * Keeps drawn pages. Changed settings show at once: whatever was drawn before is forgotten when the bus says so, on
 * every process, and soon after where nobody could say so any more.
 */
export function createShopPages(deps: Deps): ShopPages {
	let kept = new Map<string, Kept>();
	/** Until the turn of the year, which every page tells. */
	let keptUntilMs = 0;
	const isOver = () => deps.clock.now().getTime() >= keptUntilMs;
	deps.bus.subscribe((message) => {
		if (message.kind === 'resync' || (message.kind === 'hint' && shownTopics.has(message.hint.topic))) kept = new Map();
		if (message.kind === 'recheck') void forgetUntold();
	});

	let lastState = '';
	async function forgetUntold(): Promise<void> {
		try {
			const state = await readSettingsState(deps.db);
			if (state !== lastState) kept = new Map();
			lastState = state;
		} catch (error) {
			deps.log.warn({ err: error }, 'the state of the settings not looked up');
		}
	}

	return {
		draw: async (drawIt) => drawIt((await loadShop(deps)) ?? defaultShop(deps)),
		ready(name, drawIt) {
			if (isOver()) {
				kept = new Map();
				keptUntilMs = Date.parse(startOfDay(`${yearNow(deps) + 1}-01-01`, deps.config.TIME_ZONE));
			}
			// The map of before the load: a change meanwhile puts a new one in its place.
			const pages = kept;
			const known = pages.get(name);
			if (known !== undefined) return known.coming;
			const coming = loadShop(deps).then(async (shop) => {
				if (shop === null) pages.delete(name);
				page.ready = await packPage(drawIt(shop ?? defaultShop(deps)));
				return page.ready;
			});
			// Whoever asks meanwhile waits for the same.
			const page: Kept = { coming, ready: null };
			pages.set(name, page);
			coming.catch(() => pages.delete(name));
			return coming;
		},
		findReady: (name) => (isOver() ? null : (kept.get(name)?.ready ?? null)),
	};
}

interface Kept {
	coming: Promise<ReadyPage>;
	ready: ReadyPage | null;
}

/** Settings that cannot be loaded are logged, and the visitor sees the defaults. Source: the specification's section 8. */
async function loadShop(deps: Deps): Promise<Shop | null> {
	try {
		const asked = [
			getBook(deps, deps.db),
			getStorefront(deps.db),
			getContactInfo(deps.db),
			readFilms(deps.db),
		] as const;
		const [book, storefront, info, films] = await Promise.all(asked);
		return { book: presentPublicBook(book), storefront, info, films, year: yearNow(deps) };
	} catch (error) {
		deps.log.error({ err: error }, 'settings of the storefront not loaded');
		return null;
	}
}

function defaultShop(deps: Deps): Shop {
	return {
		book: bookDefaults,
		storefront: storefrontDefaults,
		info: noContactInfo,
		films: nothingStored,
		year: yearNow(deps),
	};
}

function yearNow(deps: Deps): number {
	return Number(dayOf(isoAt(deps.clock), deps.config.TIME_ZONE).slice(0, 4));
}
