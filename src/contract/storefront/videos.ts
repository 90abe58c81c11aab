import * as z from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { type VideoKey, videoKeys, videoParts } from './video-parts.ts';

const titleLine = z
	.string()
	.trim()
	.max(120, 'error_field_too_long')
	.refine((text) => !/\p{Cc}/u.test(text), 'error_invalid_input');
const title = z.object({ en: titleLine, hi: titleLine });

const ownerFile = z.object({ name: z.string(), sizeBytes: z.number() });

const video = z.object({
	/** Null while the product's own video is shown. */
	film: ownerFile.extend({ seconds: z.number() }).nullable(),
	/** Null without uploaded captions. Then the product's video has its built-in captions, an uploaded video none. */
	captions: z.object({ en: ownerFile.nullable(), hi: ownerFile.nullable() }),
	/** Empty for the product's own title. */
	title,
});

const version = z.number().int();
const videos = z.object({ benefits: video, 'how-to-get': video } satisfies Record<VideoKey, typeof video>);

export const videoErrors = defineErrors({
	FILM_REFUSED: { status: 422, messageKey: 'error_video_rejected' },
});

/** Settings of the landing page's two videos; the page shows changes at once. */
export const videoSettings = {
	get: endpoint('admin', 'GET /api/settings/films', 'Get the videos of the landing page').output(
		z.object({ films: videos, version }),
	),
	/** INVALID_INPUT with `fields`, STALE. */
	saveTitle: endpoint('admin', 'PUT /api/settings/films/{film}', 'Set the title of a video of the landing page')
		.input(z.object({ film: z.enum(videoKeys), title, version }))
		.output(z.object({ version })),
	/** Removes captions, or a video with its captions and title; then the page shows the product's own video. STALE. */
	remove: endpoint('admin', 'POST /api/settings/films/{film}/remove', 'Remove an uploaded video or its captions')
		.input(z.object({ film: z.enum(videoKeys), part: z.enum(videoParts), version }))
		.output(z.object({ version })),
};
