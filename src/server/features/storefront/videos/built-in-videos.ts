import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
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

/** Returns the built-in videos. Reads them for their hashes when the first URL is needed, not while the server starts. */
export function createBuiltInVideos(folder: string): BuiltInVideos {
	let urls: ReadonlyMap<string, string> | undefined;
	return {
		folder,
		get urls() {
			urls ??= readUrls(folder);
			return urls;
		},
	};
}

function readUrls(folder: string): ReadonlyMap<string, string> {
	const files = videoKeys.flatMap((key) => endings.map((ending) => `${key}.${ending}`));
	return new Map(
		files.map((file) => {
			const hash = createHash('sha256').update(readFileSync(join(folder, file)));
			return [file, `${prefix}${file.replace('.', `.${hash.digest('hex').slice(0, 12)}.`)}`];
		}),
	);
}

/** Registers the route of the built-in videos. Requires `sendFile`, which the plugin for static files registers. */
export function registerBuiltInVideos(app: FastifyInstance, films: BuiltInVideos): void {
	app.get<{ Params: { name: string } }>(`${prefix}:name`, { config: { access: 'public' } }, (request, reply) => {
		const file = [...films.urls].find(([, url]) => url === `${prefix}${request.params.name}`)?.[0];
		if (file === undefined) return reply.callNotFound();
		return reply.header('cache-control', 'public, max-age=31536000, immutable').sendFile(file, films.folder);
	});
}
