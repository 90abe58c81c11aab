import type { FastifyInstance } from 'fastify';
import { limits } from '#contract/core/limits.ts';
import type { Locale } from '#contract/core/text.ts';
import type { LandingAssets } from '#contract/storefront/landing.ts';
import type { StorefrontRenderers } from '#contract/storefront/renderers.ts';
import { videoKeys, videoPagePath, videoParts } from '#contract/storefront/video-parts.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { readSingleFile } from '../../../platform/http/forms/single-file-form.ts';
import { sendBlob } from '../../../platform/http/responses/send-bytes.ts';
import { type PageCache, registerPage, type StorefrontData } from '../page-cache.ts';
import type { BuiltInVideos } from './built-in-videos.ts';
import * as service from './videos.service.ts';
import { presentVideos } from './videos.service.ts';

const uploadLimits = {
	film: { maxBytes: limits.videoMaxBytes, tooLarge: 'error_video_too_large' },
	captions: { maxBytes: limits.captionsMaxBytes, tooLarge: 'error_captions_too_large' },
};

export function registerVideoFiles(app: FastifyInstance, deps: Deps): void {
	app.post<{ Params: { film: string; part: string }; Querystring: { version?: string } }>(
		'/api/settings/films/:film/:part',
		{ config: { access: 'admin', isForm: true } },
		async (request, reply) => {
			const film = videoKeys.find((key) => key === request.params.film);
			const part = videoParts.find((key) => key === request.params.part);
			if (film === undefined || part === undefined) throw new AppError('NOT_FOUND');
			const version = Number(request.query.version ?? Number.NaN);
			if (!Number.isSafeInteger(version)) throw new AppError('INVALID_INPUT');
			const file = await readSingleFile(request, reply, {
				...uploadLimits[part === 'film' ? 'film' : 'captions'],
				code: 'FILM_REFUSED',
			});
			return service.saveVideoPart(deps, request.caller, { film, part, version }, file);
		},
	);

	app.get<{ Params: { id: string } }>('/api/films/:id', { config: { access: 'public' } }, async (request, reply) => {
		const blob = await service.getVideoBlob(deps, request.params.id);
		return sendBlob(deps, request, reply, blob, {
			// A replaced file has a new id, so the response never changes.
			cacheControl: 'public, max-age=31536000, immutable',
		});
	});
}

/** Registers a page for each video. The pages need no JavaScript and ask search engines not to index them. */
export function registerVideoPages(
	app: FastifyInstance,
	deps: Deps,
	pages: PageCache,
	{ renderVideo, landing }: Pick<StorefrontRenderers, 'renderVideo'> & { landing: LandingAssets },
	ownFilms: BuiltInVideos,
): void {
	const assets: LandingAssets = { styles: landing.styles, scripts: [] };
	const headers = { 'x-robots-tag': 'noindex' };
	for (const key of videoKeys) {
		const renderPage = ({ props, videos }: StorefrontData, locale: Locale) =>
			renderVideo({ ...props, locale, key, video: presentVideos(videos, ownFilms, locale)[key] }, assets);
		registerPage(app, deps, pages, videoPagePath(key), renderPage, headers);
	}
}
