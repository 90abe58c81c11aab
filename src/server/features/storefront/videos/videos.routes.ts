import type { FastifyInstance } from 'fastify';
import { limits } from '#contract/core/limits.ts';
import type { LandingAssets, PageProps } from '#contract/storefront/landing.ts';
import type { StorefrontRenderers } from '#contract/storefront/renderers.ts';
import { videoKeys, videoPagePath, videoParts } from '#contract/storefront/video-parts.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { readSingleFile } from '../../../platform/http/forms/single-file-form.ts';
import { type PageCache, registerPage, type StorefrontData } from '../page-cache.ts';
import type { BuiltInVideos } from './built-in-videos.ts';
import { presentVideos, saveVideoPart } from './videos.service.ts';

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
		const renderPage = (props: PageProps, { content }: StorefrontData) => {
			const video = required(presentVideos(content, ownFilms, props.locale)[key] ?? undefined, 'NOT_FOUND');
			return renderVideo({ ...props, key, video }, assets);
		};
		registerPage(app, deps, pages, videoPagePath(key), renderPage, headers);
	}
}
