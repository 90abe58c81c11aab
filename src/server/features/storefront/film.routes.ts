import type { FastifyInstance } from 'fastify';
import { bookDefaults } from '#contract/settings/book-settings.ts';
import { filmKeys, filmPagePath } from '#contract/storefront/film-parts.ts';
import type { LandingAssets, RenderFilm } from '#contract/storefront/landing.ts';
import { storefrontDefaults } from '#contract/storefront/storefront-settings.ts';
import type { Deps } from '../../platform/deps.ts';
import type { OwnFilms } from '../../platform/http/own-films.ts';
import { rememberLocale } from '../../platform/http/screens.ts';
import { showOwnFilms } from '../settings/films.service.ts';
import { contactOf } from '../settings/storefront.service.ts';
import { loadFilms, loadShop, yearNow } from './landing-page.ts';
import { sendPage } from './storefront.routes.ts';

interface FilmPageParts {
	renderFilm: RenderFilm;
	landing: LandingAssets;
}

/** A page for each film of the landing page, where it plays without script. Nothing that search engines need. */
export function registerFilmPages(
	app: FastifyInstance,
	deps: Deps,
	{ renderFilm, landing }: FilmPageParts,
	ownFilms: OwnFilms,
): void {
	const assets: LandingAssets = { styles: landing.styles, scripts: [] };
	for (const key of filmKeys) {
		app.get(filmPagePath(key), { config: { access: 'public' } }, async (request, reply) => {
			rememberLocale(deps, request, reply);
			const { locale } = request.caller;
			const { book, storefront } = (await loadShop(deps)) ?? { book: bookDefaults, storefront: storefrontDefaults };
			const films = (await loadFilms(deps, ownFilms, locale)) ?? showOwnFilms(ownFilms, locale);
			const html = renderFilm(
				{
					key,
					film: films[key],
					locale,
					book,
					contact: contactOf(storefront),
					publicUrl: deps.config.PUBLIC_URL,
					year: yearNow(deps),
				},
				assets,
			);
			return sendPage(reply.header('x-robots-tag', 'noindex'), 200, html);
		});
	}
}
