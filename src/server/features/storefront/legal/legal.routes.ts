import type { FastifyInstance } from 'fastify';
import type { Locale } from '#contract/core/text.ts';
import type { Content } from '#contract/storefront/content-fields.ts';
import { type LandingAssets, type LegalPage, type LegalProps, legalPages } from '#contract/storefront/landing.ts';
import type { StorefrontRenderers } from '#contract/storefront/renderers.ts';
import type { Deps } from '../../../platform/deps.ts';
import { type PageCache, registerPage } from '../page-cache.ts';

/** Registers the legal pages. Without a text of the owner, they have a built-in text. */
export function registerLegalPages(
	app: FastifyInstance,
	deps: Deps,
	pages: PageCache,
	{ renderLegal, landing }: Pick<StorefrontRenderers, 'renderLegal'> & { landing: LandingAssets },
): void {
	// These pages are rendered on the server and need no scripts.
	const assets: LandingAssets = { ...landing, scripts: [], preloads: [] };
	for (const page of legalPages)
		registerPage(app, deps, pages, `/${page}`, (props, { content }) =>
			renderLegal({ ...props, page, text: legalTextOf(content, page, props.locale) }, assets),
		);
}

/**
 * Returns the owner's text. If it exists only in another language of the storefront, it is still shown instead of the built-in text,
 * which could contradict it.
 */
function legalTextOf(content: Content, page: LegalPage, locale: Locale): LegalProps['text'] {
	const text = content[`legal.${page}`];
	const other = content.languages.find((language) => language !== locale && text[language] !== '');
	const language = text[locale] === '' && other !== undefined ? other : locale;
	return { language, words: text[language] };
}
