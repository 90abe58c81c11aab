import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Pictures at addresses that do not change: of the product, and of the app as a device installs it. */
const imageFiles = [
	'favicon.svg',
	'social.png',
	'icon-192.png',
	'icon-512.png',
	'icon-maskable-512.png',
	'apple-touch-icon.png',
];

/** Built files of the browser's side, precompressed; hashed names may be kept for ever. */
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
	// Asked for anew each time: an older worker must not outlive a deploy.
	app.get('/offline.js', { config }, (_request, reply) =>
		reply.header('cache-control', 'no-cache').sendFile('offline.js', webRoot),
	);
}
