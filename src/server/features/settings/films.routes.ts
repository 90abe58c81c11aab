import { implement } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import { contract } from '#contract/contract.ts';
import { limits } from '#contract/core/limits.ts';
import { filmKeys, filmParts } from '#contract/storefront/film-parts.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { sendBlob } from '../../platform/http/bytes.ts';
import { readOneFile } from '../../platform/http/one-file.ts';
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

const bounds = {
	film: { maxBytes: limits.filmMaxBytes, tooLarge: 'error_film_too_large' },
	captions: { maxBytes: limits.captionsMaxBytes, tooLarge: 'error_captions_too_large' },
};

/** Uploads of the owner's films and captions (multipart, one file each), and their bytes for everybody. */
export function registerFilms(app: FastifyInstance, deps: Deps): void {
	app.post<{ Params: { film: string; part: string }; Querystring: { version?: string } }>(
		'/api/settings/films/:film/:part',
		{ config: { access: 'admin', isForm: true } },
		async (request, reply) => {
			const film = filmKeys.find((key) => key === request.params.film);
			const part = filmParts.find((key) => key === request.params.part);
			if (film === undefined || part === undefined) throw new AppError('NOT_FOUND');
			const version = Number(request.query.version ?? Number.NaN);
			if (!Number.isSafeInteger(version)) throw new AppError('INVALID_INPUT');
			const file = await readOneFile(request, reply, {
				...bounds[part === 'film' ? 'film' : 'captions'],
				code: 'FILM_REFUSED',
			});
			return service.saveFilmPart(deps, request.caller, { film, part, version }, file);
		},
	);

	app.get<{ Params: { id: string } }>('/api/films/:id', { config: { access: 'public' } }, async (request, reply) => {
		const blob = await service.requireFilmBlob(deps, request.params.id);
		return sendBlob(deps, request, reply, blob, {
			// Another file has another id.
			cacheControl: 'public, max-age=31536000, immutable',
		});
	});
}
