import type { FastifyInstance } from 'fastify';
import { bookDefaults } from '#contract/settings/book-settings.ts';
import type { LandingAssets, RenderLegal } from '#contract/storefront/landing.ts';
import { legalPages } from '#contract/storefront/legal-pages.ts';
import { storefrontDefaults } from '#contract/storefront/storefront-settings.ts';
import type { Deps } from '../../platform/deps.ts';
import { rememberLocale } from '../../platform/http/screens.ts';
import { contactOf } from '../settings/storefront.service.ts';
import { loadShop, yearNow } from './landing-page.ts';
import { sendPage } from './storefront.routes.ts';

interface LegalParts {
	renderLegal: RenderLegal;
	landing: LandingAssets;
}

/** The pages of fine print: always there, by the owner's words or the product's own. Seldom read, so drawn each time. */
export function registerLegal(app: FastifyInstance, deps: Deps, { renderLegal, landing }: LegalParts): void {
	// They run nothing: what they need is there when they are drawn.
	const assets: LandingAssets = { styles: landing.styles, scripts: [] };
	for (const page of legalPages) {
		app.get(`/${page}`, { config: { access: 'public' } }, async (request, reply) => {
			rememberLocale(deps, request, reply);
			const { locale } = request.caller;
			const { book, storefront } = (await loadShop(deps)) ?? { book: bookDefaults, storefront: storefrontDefaults };
			const html = renderLegal(
				{
					page,
					locale,
					book,
					contact: contactOf(storefront),
					text: storefront.legal[page][locale],
					publicUrl: deps.config.PUBLIC_URL,
					year: yearNow(deps),
				},
				assets,
			);
			return sendPage(reply, 200, html);
		});
	}
}
