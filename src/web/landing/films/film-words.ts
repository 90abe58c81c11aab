import type { FilmKey, ShownFilm } from '#contract/storefront/film-parts.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import { m } from '#messages';

const ownTitles = { benefits: m.landing_film_benefits, 'how-to-get': m.landing_film_how };

/** The owner's title, or the product's own. */
export function filmTitle(name: FilmKey, film: ShownFilm, locale: Locale): string {
	return film.title || ownTitles[name]({}, { locale });
}

/** Minutes and seconds, and whether there are captions. */
export function filmLength({ seconds, captions }: ShownFilm, locale: Locale): string {
	const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
	return captions.length === 0 ? time : m.landing_film_length({ time }, { locale });
}
