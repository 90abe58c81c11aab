import type { FastifyInstance } from 'fastify';
import { bookDefaults } from '#contract/settings/book-settings.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import type { Deps } from '../../platform/deps.ts';
import { textOf } from '../../platform/messages.ts';
import { getBook } from '../settings/settings.service.ts';

/** The page's ground in the light theme (`--paper`); a manifest knows one only. */
const paper = '#fbf8f1';

/** `GET /manifest.webmanifest`: the app as a device installs it, by the name of the book (W3C, Web Application Manifest). */
export function registerAppManifest(app: FastifyInstance, deps: Deps): void {
	app.get('/manifest.webmanifest', { config: { access: 'public' } }, async (request, reply) => {
		const { title } = await getBook(deps, deps.db);
		return reply
			.header('cache-control', 'private, no-cache')
			.type('application/manifest+json; charset=utf-8')
			.send(JSON.stringify(manifestOf(title, request.caller.locale)));
	});
}

/** The default title has a Hindi form, an owner's own stands as it is. */
function manifestOf(title: string, locale: Locale) {
	const name = title === bookDefaults.title ? textOf('screen_landing', locale) : title;
	return {
		// Stays, whatever else becomes of the addresses.
		id: '/dashboard',
		name,
		short_name: name,
		lang: locale,
		dir: 'ltr',
		start_url: '/dashboard',
		scope: '/',
		display: 'standalone',
		background_color: paper,
		theme_color: paper,
		icons: [
			{ src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
			{ src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
			{ src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
			{ src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
		],
	};
}
