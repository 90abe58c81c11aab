import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { videoKeys } from '#contract/storefront/video-parts.ts';

export interface BuiltInVideos {
	folder: string;
	/** URLs by file, such as `benefits.mp4`. A URL contains a hash, so it is cached forever. */
	urls: ReadonlyMap<string, string>;
}

const prefix = '/films/';
const endings = ['mp4', 'en.vtt', 'hi.vtt'];

export async function readBuiltInVideos(folder: string): Promise<BuiltInVideos> {
	const files = videoKeys.flatMap((key) => endings.map((ending) => `${key}.${ending}`));
	const urls = new Map<string, string>();
	for (const file of files) {
		const hash = createHash('sha256').update(await readFile(join(folder, file)));
		urls.set(file, `${prefix}${file.replace('.', `.${hash.digest('hex').slice(0, 12)}.`)}`);
	}
	return { folder, urls };
}

/** Registers the route of the built-in videos. Requires `sendFile`, which the plugin for static files registers. */
export function registerBuiltInVideos(app: FastifyInstance, films: BuiltInVideos): void {
	app.get<{ Params: { name: string } }>(`${prefix}:name`, { config: { access: 'public' } }, (request, reply) => {
		const file = [...films.urls].find(([, url]) => url === `${prefix}${request.params.name}`)?.[0];
		if (file === undefined) return reply.callNotFound();
		return reply.header('cache-control', 'public, max-age=31536000, immutable').sendFile(file, films.folder);
	});
}
