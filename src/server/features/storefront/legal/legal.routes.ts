import type { FastifyInstance } from 'fastify';
import type { Locale } from '#contract/core/text.ts';
import {
	type LandingAssets,
	type LegalPage,
	type LegalProps,
	legalPages,
	type RenderLegal,
} from '#contract/storefront/landing.ts';
import type { Storefront } from '#contract/storefront/storefront-settings.ts';
import type { Deps } from '../../../platform/deps.ts';
import { sendPrerenderedPage } from '../../../platform/http/responses/prerendered-page.ts';
import { saveLocaleCookie } from '../../../platform/http/screens.ts';
import type { PageCache } from '../page-cache.ts';
import { contactOf } from '../storefront.service.ts';

/** Registers the legal pages: each always exists, with the owner's text or the built-in one. */
export function registerLegalPages(
	app: FastifyInstance,
	deps: Deps,
	pages: PageCache,
	{ renderLegal, landing }: { renderLegal: RenderLegal; landing: LandingAssets },
): void {
	// These pages need no scripts: they are rendered completely on the server.
	const assets: LandingAssets = { ...landing, scripts: [], preloads: [] };
	const { PUBLIC_URL: publicUrl } = deps.config;
	for (const page of legalPages) {
		app.get(`/${page}`, { config: { access: 'public' } }, async (request, reply) => {
			saveLocaleCookie(deps, request, reply);
			const { locale } = request.caller;
			const ready = await pages.getPage(`${page} ${locale}`, ({ book, storefront, info, year }) => {
				const text = legalTextOf(storefront, page, locale);
				const contact = contactOf(storefront, info);
				return renderLegal({ page, locale, book, contact, text, publicUrl, year }, assets);
			});
			return sendPrerenderedPage(request, reply, ready);
		});
	}
}

/** Returns the owner's text, or the owner's in the other language, which the built-in text could contradict. */
function legalTextOf({ legal }: Storefront, page: LegalPage, locale: Locale): LegalProps['text'] {
	const language = legal[page][locale] === '' ? otherLanguage[locale] : locale;
	return { language, words: legal[page][language] };
}

const otherLanguage = { en: 'hi', hi: 'en' } as const;
