import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Images at fixed URLs: the product's images and the icons of the installed app. */
const imageFiles = [
	'favicon.svg',
	'social.png',
	'icon-192.png',
	'icon-512.png',
	'icon-maskable-512.png',
	'apple-touch-icon.png',
	'book.svg',
	'book-180.png',
	'book-192.png',
	'book-512.png',
];

/** Serves the built, precompressed files of the web app; files with hashed names are cached for a year. */
export async function registerStaticFiles(app: FastifyInstance, webRoot: string): Promise<void> {
	await app.register(fastifyStatic, { root: webRoot, serve: false, preCompressed: true, cacheControl: false });
	const config = { access: 'public' } as const;
	const immutable = 'public, max-age=31536000, immutable';
	app.get<{ Params: { '*': string } }>('/assets/*', { config }, (request, reply) =>
		reply.header('cache-control', immutable).sendFile(request.params['*'], join(webRoot, 'assets')),
	);
	app.get<{ Params: { '*': string } }>('/pdfjs/*', { config }, (request, reply) =>
		reply.header('cache-control', 'public, max-age=86400').sendFile(request.params['*'], join(webRoot, 'pdfjs')),
	);
	for (const name of imageFiles) {
		app.get(`/${name}`, { config }, (_request, reply) =>
			reply.header('cache-control', 'public, max-age=86400').sendFile(name, webRoot),
		);
	}
	// Revalidated each time, so that no old service worker is used after an update.
	app.get('/offline.js', { config }, (_request, reply) =>
		reply.header('cache-control', 'no-cache').sendFile('offline.js', webRoot),
	);
}
