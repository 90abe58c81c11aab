import { implement } from '@orpc/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contract } from '#contract/contract.ts';
import { limits } from '#contract/core/limits.ts';
import { type FilmPart, filmKeys, filmParts } from '#contract/storefront/film-parts.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { sendBytes } from '../../platform/http/bytes.ts';
import * as service from './films.service.ts';

/** The landing page's films, for the owner. */
export function filmSettingsRoutes(deps: Deps) {
	const os = implement(contract.filmSettings).$context<ApiContext>();
	return {
		get: os.get.handler(() => service.getFilmsForAdmin(deps.db)),
		saveTitle: os.saveTitle.handler(({ input, context }) => service.saveFilmTitle(deps, context.caller, input)),
		remove: os.remove.handler(({ input, context }) => service.removeFilmPart(deps, context.caller, input)),
	};
}

/** Uploads of the owner's films and captions (multipart, one file each), and their bytes for everybody. */
export function registerFilms(app: FastifyInstance, deps: Deps): void {
	app.post<{ Params: { film: string; part: string }; Querystring: { version?: string } }>(
		'/api/settings/films/:film/:part',
		{ config: { access: 'admin', isForm: true } },
		async (request) => {
			const film = filmKeys.find((key) => key === request.params.film);
			const part = filmParts.find((key) => key === request.params.part);
			if (film === undefined || part === undefined) throw new AppError('NOT_FOUND');
			if (!request.isMultipart()) throw new AppError('WRONG_CONTENT_TYPE');
			const version = Number(request.query.version ?? Number.NaN);
			if (!Number.isSafeInteger(version)) throw new AppError('INVALID_INPUT');
			const file = await readPart(request, part);
			return service.saveFilmPart(deps, request.caller, { film, part, version }, file);
		},
	);

	app.get<{ Params: { id: string } }>('/api/films/:id', { config: { access: 'public' } }, async (request, reply) => {
		const blob = await service.requireFilmBlob(deps, request.params.id);
		return sendBytes(deps, request, reply, {
			storageKey: blob.storage_key,
			sizeBytes: blob.size_bytes,
			contentType: blob.content_type,
			etag: blob.id,
			// Another file has another id.
			cacheControl: 'public, max-age=31536000, immutable',
		});
	});
}

/** @throws AppError FILM_REFUSED without a file, for one that is too large, and for a body that is no form */
async function readPart(request: FastifyRequest, part: FilmPart): Promise<{ name: string; bytes: Buffer }> {
	const fileSize = part === 'film' ? limits.filmMaxBytes : limits.captionsMaxBytes;
	try {
		const file = await request.file({ limits: { fileSize, files: 1 } });
		if (file === undefined) throw service.refused('error_field_required');
		return { name: file.filename, bytes: await file.toBuffer() };
	} catch (error) {
		if (error instanceof AppError) throw error;
		if ((error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE')
			throw service.refused(part === 'film' ? 'error_film_too_large' : 'error_captions_too_large');
		const hasStatus = (error as { statusCode?: number }).statusCode !== undefined;
		throw hasStatus ? error : new AppError('FILM_REFUSED', { cause: error });
	}
}
