import * as z from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { type VideoKey, videoKeys, videoParts } from './video-parts.ts';

/** In a file without zod, so that the landing page can be drawn from it. */
export {
	defaultVideoSeconds,
	type VideoKey,
	type VideoPart,
	videoKeys,
	videoPartPath,
	videoParts,
} from './video-parts.ts';

const titleLine = z
	.string()
	.trim()
	.max(120, 'error_field_too_long')
	.refine((text) => !/\p{Cc}/u.test(text), 'error_invalid_input');
const title = z.object({ en: titleLine, hi: titleLine });

/** A file of the owner's. */
const ownerFile = z.object({ name: z.string(), sizeBytes: z.number() });

const video = z.object({
	/** Null while the product's own film is shown. */
	film: ownerFile.extend({ seconds: z.number() }).nullable(),
	/** Null: the product's own with its own film, none with the owner's. */
	captions: z.object({ en: ownerFile.nullable(), hi: ownerFile.nullable() }),
	/** Empty: the product's own words. */
	title,
});

const version = z.number().int();
const videos = z.object({ benefits: video, 'how-to-get': video } satisfies Record<VideoKey, typeof video>);

export const videoErrors = defineErrors({
	FILM_REFUSED: { status: 422, messageKey: 'error_video_rejected' },
});

/** The two films of the landing page. Whatever changes is live on it at once. */
export const videoSettings = {
	get: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/settings/films', summary: 'The films of the landing page' })
		.output(z.object({ films: videos, version })),
	/** INVALID_INPUT with `fields`, STALE. */
	saveTitle: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'PUT', path: '/api/settings/films/{film}', summary: 'Give a film of the landing page a title' })
		.input(z.object({ film: z.enum(videoKeys), title, version }))
		.output(z.object({ version })),
	/** Taking the film off takes its captions and its title with it: the product's own is back. STALE. */
	remove: endpoint
		.meta({ access: 'admin' })
		.route({
			method: 'POST',
			path: '/api/settings/films/{film}/remove',
			summary: "Go back to the product's own film or captions",
		})
		.input(z.object({ film: z.enum(videoKeys), part: z.enum(videoParts), version }))
		.output(z.object({ version })),
};
