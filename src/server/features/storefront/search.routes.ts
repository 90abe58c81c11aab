import type { FastifyInstance } from 'fastify';
import { screens } from '#contract/core/screens.ts';
import { legalPages } from '#contract/storefront/legal-pages.ts';
import type { Deps } from '../../platform/deps.ts';
import { escapeHtml } from '../../platform/html.ts';

const keptFor = 'public, max-age=3600';

/** What search engines ask for before they read a page. */
export function registerSearch(app: FastifyInstance, deps: Deps): void {
	const config = { access: 'public' } as const;
	const { PUBLIC_URL } = deps.config;
	app.get('/robots.txt', { config }, (_request, reply) =>
		reply.header('cache-control', keptFor).type('text/plain; charset=utf-8').send(robots(PUBLIC_URL)),
	);
	app.get('/sitemap.xml', { config }, (_request, reply) =>
		reply.header('cache-control', keptFor).type('application/xml; charset=utf-8').send(sitemap(PUBLIC_URL)),
	);
}

/** Everything may be read but the calls and the screens that need a login. */
function robots(publicUrl: string): string {
	const closed = screens.filter(({ role }) => role !== 'public').map(({ path }) => path.replace(/\$.*$/u, ''));
	return [
		'User-agent: *',
		'Disallow: /api/',
		...closed.map((path) => `Disallow: ${path}`),
		`Sitemap: ${publicUrl}/sitemap.xml`,
		'',
	].join('\n');
}

const locales = ['en', 'hi'] as const;

/** The storefront's pages in each language, each with the others beside it. */
function sitemap(publicUrl: string): string {
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
