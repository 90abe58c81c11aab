import type { FastifyInstance } from 'fastify';
import { bookDefaults } from '#contract/book/book-settings.ts';
import { screens } from '#contract/core/screens.ts';
import { type Locale, locales } from '#contract/core/text.ts';
import { legalPages } from '#contract/storefront/landing.ts';
import type { Deps } from '../../../platform/deps.ts';
import { escapeHtml } from '../../../platform/format.ts';
import { translate } from '../../../platform/messages.ts';
import { getBook } from '../../book/index.ts';

const cacheControl = 'public, max-age=3600';

export function registerSearchEngineFiles(app: FastifyInstance, deps: Deps): void {
	const config = { access: 'public' } as const;
	const { PUBLIC_URL } = deps.config;
	app.get('/robots.txt', { config }, (_request, reply) =>
		reply.header('cache-control', cacheControl).type('text/plain; charset=utf-8').send(robotsTxt(PUBLIC_URL)),
	);
	app.get('/sitemap.xml', { config }, (_request, reply) =>
		reply.header('cache-control', cacheControl).type('application/xml; charset=utf-8').send(sitemapXml(PUBLIC_URL)),
	);
}

function robotsTxt(publicUrl: string): string {
	const closed = screens.filter(({ role }) => role !== 'public').map(({ path }) => path.replace(/\$.*$/u, ''));
	return [
		'User-agent: *',
		'Disallow: /api/',
		...closed.map((path) => `Disallow: ${path}`),
		`Sitemap: ${publicUrl}/sitemap.xml`,
		'',
	].join('\n');
}

function sitemapXml(publicUrl: string): string {
	const pages = ['/', ...legalPages.map((page) => `/${page}`)].map((path) => escapeHtml(`${publicUrl}${path}`));
	const entries = pages.flatMap((page) => {
		const others = locales.map(
			(lang) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${page}?lang=${lang}"/>`,
		);
		return locales.map((lang) => `<url><loc>${page}?lang=${lang}</loc>${others.join('')}</url>`);
	});
	return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join('\n')}
</urlset>
`;
}

/** Background colour of the light theme (`--paper`). A manifest can have only one colour. */
const backgroundColor = '#fbf8f1';

/** Registers the manifest of the installable app (W3C, Web Application Manifest). */
export function registerAppManifest(app: FastifyInstance, deps: Deps): void {
	app.get('/manifest.webmanifest', { config: { access: 'public' } }, async (request, reply) => {
		const { title } = await getBook(deps, deps.db);
		return reply
			.header('cache-control', 'private, no-cache')
			.type('application/manifest+json; charset=utf-8')
			.send(JSON.stringify(manifestOf(title, request.caller.locale)));
	});
}

/** Builds the manifest. Only the default title is translated. */
function manifestOf(title: string, locale: Locale) {
	const name = title === bookDefaults.title ? translate('screen_landing', locale) : title;
	return {
		// The id identifies the installed app, so it must not change even if URLs do.
		id: '/dashboard',
		name,
		short_name: name,
		lang: locale,
		dir: 'ltr',
		start_url: '/dashboard',
		scope: '/',
		display: 'standalone',
		background_color: backgroundColor,
		theme_color: backgroundColor,
		icons: [
			{ src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
			{ src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
			{ src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
			{ src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
		],
	};
}
