import type { FastifyInstance } from 'fastify';
import { screens } from '#contract/core/screens.ts';
import type { Locale } from '#contract/core/text.ts';
import { legalPages } from '#contract/storefront/landing.ts';
import type { SiteIdentity } from '#contract/storefront/site-identity.ts';
import type { Deps } from '../../../platform/deps.ts';
import { escapeHtml } from '../../../platform/format.ts';
import { siteIdentity } from '../../../platform/site-identity.ts';

const cacheControl = 'public, max-age=3600';

export function registerSearchEngineFiles(app: FastifyInstance, deps: Deps): void {
	const config = { access: 'public' } as const;
	const { PUBLIC_URL } = deps.config;
	app.get('/robots.txt', { config }, (_request, reply) =>
		reply.header('cache-control', cacheControl).type('text/plain; charset=utf-8').send(robotsTxt(PUBLIC_URL)),
	);
	app.get('/sitemap.xml', { config }, async (_request, reply) => {
		const { languages } = await siteIdentity()(deps);
		const xml = sitemapXml(PUBLIC_URL, languages);
		return reply.header('cache-control', cacheControl).type('application/xml; charset=utf-8').send(xml);
	});
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

function sitemapXml(publicUrl: string, languages: readonly Locale[]): string {
	const pages = ['/', ...legalPages.map((page) => `/${page}`)].map((path) => escapeHtml(`${publicUrl}${path}`));
	const entries = pages.flatMap((page) => {
		if (languages.length === 1) return [`<url><loc>${page}</loc></url>`];
		const others = languages.map(
			(lang) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${page}?lang=${lang}"/>`,
		);
		return languages.map((lang) => `<url><loc>${page}?lang=${lang}</loc>${others.join('')}</url>`);
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
		const identity = await siteIdentity()(deps);
		return reply
			.header('cache-control', 'private, no-cache')
			.type('application/manifest+json; charset=utf-8')
			.send(JSON.stringify(manifestOf(identity, request.caller.locale)));
	});
}

function manifestOf({ texts, icon }: SiteIdentity, locale: Locale) {
	const name = texts[locale].bookTitle;
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
		icons: listIcons(icon),
	};
}

/** Icons of the default book, of a site without an icon, or of the owner's picture. */
function listIcons(icon: string | null) {
	const png = (src: string, pixels: number, purpose?: 'maskable') => ({
		src,
		sizes: `${pixels}x${pixels}`,
		type: 'image/png',
		...(purpose && { purpose }),
	});
	const vector = (src: string) => ({ src, sizes: 'any', type: 'image/svg+xml' });
	if (icon === null)
		return [
			png('/icon-192.png', 192),
			png('/icon-512.png', 512),
			png('/icon-maskable-512.png', 512, 'maskable'),
			vector('/favicon.svg'),
		];
	if (icon.endsWith('.svg'))
		return [png('/book-192.png', 192), png('/book-512.png', 512), png('/book-512.png', 512, 'maskable'), vector(icon)];
	const ofWidth = (pixels: number) => icon.replace(/\d+\.png$/u, `${pixels}.png`);
	return [png(ofWidth(192), 192), png(ofWidth(512), 512)];
}
