import type { FastifyInstance } from 'fastify';
import { limits } from '#contract/core/limits.ts';
import { videoKeys, videoParts } from '#contract/storefront/video-parts.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { readSingleFile } from '../../../platform/http/forms/single-file-form.ts';
import { saveVideoPart } from './videos.service.ts';

const uploadLimits = {
	film: { maxBytes: limits.videoMaxBytes, tooLarge: 'error_video_too_large' },
	captions: { maxBytes: limits.captionsMaxBytes, tooLarge: 'error_captions_too_large' },
};

export function registerVideoUpload(app: FastifyInstance, deps: Deps): void {
	app.post<{ Params: { key: string; part: string }; Querystring: { version?: string } }>(
		'/api/storefront/videos/:key/:part',
		{ config: { access: 'admin', isForm: true } },
		async (request, reply) => {
			const key = videoKeys.find((known) => known === request.params.key);
			const part = videoParts.find((known) => known === request.params.part);
			if (key === undefined || part === undefined) throw new AppError('NOT_FOUND');
			const version = Number(request.query.version ?? Number.NaN);
			if (!Number.isSafeInteger(version)) throw new AppError('INVALID_INPUT');
			const file = await readSingleFile(request, reply, {
				...uploadLimits[part === 'film' ? 'film' : 'captions'],
				code: 'FILM_REFUSED',
			});
			return saveVideoPart(deps, request.caller, { key, part, version }, file);
		},
	);
}
