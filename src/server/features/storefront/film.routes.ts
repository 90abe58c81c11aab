import type { FastifyInstance } from 'fastify';
import { filmKeys, filmPagePath } from '#contract/storefront/film-parts.ts';
import type { LandingAssets, RenderFilm } from '#contract/storefront/landing.ts';
import type { Deps } from '../../platform/deps.ts';
import type { OwnFilms } from '../../platform/http/own-films.ts';
import { sendReadyPage } from '../../platform/http/ready-page.ts';
import { rememberLocale } from '../../platform/http/screens.ts';
import { showFilms } from '../settings/films.service.ts';
import { contactOf } from '../settings/storefront.service.ts';
import type { ShopPages } from './shop-pages.ts';

interface FilmPageParts {
	renderFilm: RenderFilm;
	landing: LandingAssets;
}

/** A page for each film of the landing page, where it plays without script. Nothing that search engines need. */
export function registerFilmPages(
	app: FastifyInstance,
	deps: Deps,
	pages: ShopPages,
	{ renderFilm, landing }: FilmPageParts,
	ownFilms: OwnFilms,
): void {
	const assets: LandingAssets = { styles: landing.styles, scripts: [] };
	const { PUBLIC_URL: publicUrl } = deps.config;
	for (const key of filmKeys) {
		app.get(filmPagePath(key), { config: { access: 'public' } }, async (request, reply) => {
			rememberLocale(deps, request, reply);
			const { locale } = request.caller;
			const ready = await pages.ready(`film ${key} ${locale}`, ({ book, storefront, info, films, year }) => {
				const film = showFilms(films, ownFilms, locale)[key];
				const contact = contactOf(storefront, info);
				return renderFilm({ key, film, locale, book, contact, publicUrl, year }, assets);
			});
			return sendReadyPage(request, reply.header('x-robots-tag', 'noindex'), ready);
		});
	}
}
