import type { FastifyInstance } from 'fastify';
import type { Locale } from '#contract/core/text.ts';
import { draftPreviewPath } from '#contract/storefront/content.ts';
import type { Content } from '#contract/storefront/content-fields.ts';
import {
	emptyLandingForm,
	type LandingForm,
	type LandingProps,
	type LegalPage,
	type LegalProps,
	legalPages,
	type PageProps,
	type StorefrontRenderers,
} from '#contract/storefront/landing.ts';
import type { LandingAssets } from '#contract/storefront/page-content.ts';
import { videoKeys, videoPagePath } from '#contract/storefront/video-parts.ts';
import { required } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { sendPrerenderedPage } from '../../platform/http/responses/prerendered-page.ts';
import { saveLocaleCookie } from '../../platform/http/screens.ts';
import { storefrontLocale } from '../../platform/site-identity.ts';
import { type CheckoutPage, upiPaymentOf } from '../orders/index.ts';
import { getPage, renderPublished } from './page-cache.ts';
import { loadStorefrontData, type StorefrontData, toPageProps } from './storefront-data.ts';
import type { BuiltInVideos } from './videos/built-in-videos.ts';
import { presentVideos } from './videos/videos.service.ts';

export interface StorefrontSite extends StorefrontRenderers {
	landing: LandingAssets;
	builtInVideos: BuiltInVideos;
}

export function createLandingPage(deps: Deps, { renderLanding, landing, builtInVideos }: StorefrontSite): CheckoutPage {
	const renderWith = (locale: Locale, form: LandingForm, isInApp: boolean) => (data: StorefrontData) =>
		renderLanding({ ...toLandingProps(data, locale, builtInVideos), form, isInApp }, landing);
	const nameOf = (locale: Locale, isInApp: boolean) => `landing ${locale}${isInApp ? ' in an app' : ''}`;
	return {
		render: (locale, form, isInApp) =>
			renderPublished(deps, nameOf(locale, isInApp), renderWith(locale, form, isInApp)),
		getCached: (locale, isInApp) =>
			getPage(deps, nameOf(locale, isInApp), renderWith(locale, emptyLandingForm, isInApp)),
	};
}

function toLandingProps(data: StorefrontData, locale: Locale, builtInVideos: BuiltInVideos): LandingProps {
	const films = presentVideos(data.content, builtInVideos, locale);
	const payment = upiPaymentOf(data.props.book);
	return { ...toPageProps(data, locale), form: emptyLandingForm, films, payment, isInApp: false };
}

/** A preview runs no scripts and sends no form, so it is never counted as a visit, and never becomes an order. */
const sandbox = 'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox';

/** Registers the landing page with the content of the draft. */
export function registerDraftPreview(
	app: FastifyInstance,
	deps: Deps,
	{ renderLanding, landing, builtInVideos }: StorefrontSite,
): void {
	app.get<{ Querystring: { lang?: string } }>(
		draftPreviewPath,
		{ config: { access: 'admin' } },
		async (request, reply) => {
			const data = await loadStorefrontData(deps, 'draft');
			const { languages } = data.content;
			const locale = languages.find((language) => language === request.query.lang) ?? languages[0] ?? 'en';
			return reply
				.header('content-security-policy', `${reply.getHeader('content-security-policy')}; ${sandbox}`)
				.type('text/html; charset=utf-8')
				.send(renderLanding(toLandingProps(data, locale, builtInVideos), withoutScripts(landing)));
		},
	);
}

/** Registers the legal pages. Without a text of the owner, they have a built-in text. */
export function registerLegalPages(app: FastifyInstance, deps: Deps, { renderLegal, landing }: StorefrontSite): void {
	for (const page of legalPages)
		registerPage(app, deps, `/${page}`, (props, { content }) =>
			renderLegal({ ...props, page, text: legalTextOf(content, page, props.locale) }, withoutScripts(landing)),
		);
}

/** Registers a page for each video. The pages need no JavaScript and ask search engines not to index them. */
export function registerVideoPages(
	app: FastifyInstance,
	deps: Deps,
	{ renderVideo, landing, builtInVideos }: StorefrontSite,
): void {
	const assets: LandingAssets = { styles: landing.styles, scripts: [] };
	for (const key of videoKeys) {
		const renderPage = (props: PageProps, { content }: StorefrontData) => {
			const video = required(presentVideos(content, builtInVideos, props.locale)[key] ?? undefined, 'NOT_FOUND');
			return renderVideo({ ...props, key, video }, assets);
		};
		registerPage(app, deps, videoPagePath(key), renderPage, { 'x-robots-tag': 'noindex' });
	}
}

function registerPage(
	app: FastifyInstance,
	deps: Deps,
	path: string,
	renderPage: (props: PageProps, data: StorefrontData) => string,
	headers: Record<string, string> = {},
): void {
	app.get(path, { config: { access: 'public' } }, async (request, reply) => {
		const locale = await storefrontLocale(deps, request);
		saveLocaleCookie(deps, request, reply, locale);
		const page = await getPage(deps, `${path} ${locale}`, (data) => renderPage(toPageProps(data, locale), data));
		return sendPrerenderedPage(request, reply.headers(headers), page);
	});
}

function withoutScripts(assets: LandingAssets): LandingAssets {
	return { ...assets, scripts: [], preloads: [] };
}

/**
 * Returns the owner's text. If it exists only in another language of the storefront, it is still shown instead of the
 * built-in text, which could contradict it.
 */
function legalTextOf(content: Content, page: LegalPage, locale: Locale): LegalProps['text'] {
	const text = content[`legal.${page}`];
	const other = content.languages.find((language) => language !== locale && text[language] !== '');
	const language = text[locale] === '' && other !== undefined ? other : locale;
	return { language, words: text[language] };
}
