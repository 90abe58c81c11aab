import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { videoKeys } from '#contract/storefront/video-parts.ts';

export interface BuiltInVideos {
	folder: string;
	/** Returns the URL of a file such as `benefits.mp4`. The URL contains a hash, so it is cached forever. */
	urlOf(file: string): string;
	fileOf(name: string): string | undefined;
}

const prefix = '/films/';
const endings = ['mp4', 'en.vtt', 'hi.vtt'];

export async function readBuiltInVideos(folder: string): Promise<BuiltInVideos> {
	const files = videoKeys.flatMap((key) => endings.map((ending) => `${key}.${ending}`));
	const names = new Map<string, string>();
	for (const file of files) {
		const hash = createHash('sha256').update(await readFile(join(folder, file)));
		names.set(file, file.replace('.', `.${hash.digest('hex').slice(0, 12)}.`));
	}
	const filesByName = new Map([...names].map(([file, name]) => [name, file]));
	return {
		folder,
		urlOf: (file) => `${prefix}${names.get(file)}`,
		fileOf: (name) => filesByName.get(name),
	};
}

/** Registers the route of the built-in videos. Requires `sendFile`, which the plugin for static files registers. */
export function registerBuiltInVideos(app: FastifyInstance, films: BuiltInVideos): void {
	app.get<{ Params: { name: string } }>(`${prefix}:name`, { config: { access: 'public' } }, (request, reply) => {
		const file = films.fileOf(request.params.name);
		if (file === undefined) return reply.callNotFound();
		return reply.header('cache-control', 'public, max-age=31536000, immutable').sendFile(file, films.folder);
	});
}
