import type { FastifyInstance } from 'fastify';
import { limits } from '#contract/core/limits.ts';
import type { LandingAssets, RenderVideoPage } from '#contract/storefront/landing.ts';
import { videoKeys, videoPagePath, videoParts } from '#contract/storefront/video-parts.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { readSingleFile } from '../../../platform/http/forms/single-file-form.ts';
import { sendPrerenderedPage } from '../../../platform/http/responses/prerendered-page.ts';
import { sendBlob } from '../../../platform/http/responses/send-bytes.ts';
import { saveLocaleCookie } from '../../../platform/http/screens.ts';
import type { PageCache } from '../page-cache.ts';
import { contactOf } from '../storefront.service.ts';
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

/** Registers a page for each video, to play without JavaScript; search engines are told not to index it. */
export function registerVideoPages(
	app: FastifyInstance,
	deps: Deps,
	pages: PageCache,
	{ renderVideo, landing }: { renderVideo: RenderVideoPage; landing: LandingAssets },
	ownFilms: BuiltInVideos,
): void {
	const assets: LandingAssets = { styles: landing.styles, scripts: [] };
	const { PUBLIC_URL: publicUrl } = deps.config;
	for (const key of videoKeys) {
		app.get(videoPagePath(key), { config: { access: 'public' } }, async (request, reply) => {
			saveLocaleCookie(deps, request, reply);
			const { locale } = request.caller;
			const ready = await pages.getPage(`film ${key} ${locale}`, ({ book, storefront, info, videos: films, year }) => {
				const film = presentVideos(films, ownFilms, locale)[key];
				const contact = contactOf(storefront, info);
				return renderVideo({ key, video: film, locale, book, contact, publicUrl, year }, assets);
			});
			return sendPrerenderedPage(request, reply.header('x-robots-tag', 'noindex'), ready);
		});
	}
}
