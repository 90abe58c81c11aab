import * as z from 'zod';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { type FilmKey, filmKeys, filmParts } from './film-parts.ts';

/** In a file without zod, so that the landing page can be drawn from it. */
export { type FilmKey, type FilmPart, filmKeys, filmPartPath, filmParts, ownFilmSeconds } from './film-parts.ts';

const titleLine = z
	.string()
	.trim()
	.max(120, 'error_field_too_long')
	.refine((text) => !/\p{Cc}/u.test(text), 'error_invalid_input');
const title = z.object({ en: titleLine, hi: titleLine });

/** A file of the owner's. */
const ownersFile = z.object({ name: z.string(), sizeBytes: z.number() });

const film = z.object({
	/** Null while the product's own film is shown. */
	film: ownersFile.extend({ seconds: z.number() }).nullable(),
	/** Null: the product's own with its own film, none with the owner's. */
	captions: z.object({ en: ownersFile.nullable(), hi: ownersFile.nullable() }),
	/** Empty: the product's own words. */
	title,
});

const version = z.number().int();
const films = z.object({ benefits: film, 'how-to-get': film } satisfies Record<FilmKey, typeof film>);

export const filmErrors = defineErrors({
	FILM_REFUSED: { status: 422, text: 'error_film_refused' },
});

/** The two films of the landing page. Whatever changes is live on it at once. */
export const filmSettings = {
	get: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/settings/films', summary: 'The films of the landing page' })
		.output(z.object({ films, version })),
	/** INVALID_INPUT with `fields`, STALE. */
	saveTitle: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'PUT', path: '/api/settings/films/{film}', summary: 'Give a film of the landing page a title' })
		.input(z.object({ film: z.enum(filmKeys), title, version }))
		.output(z.object({ version })),
	/** Taking the film off takes its captions and its title with it: the product's own is back. STALE. */
	remove: endpoint
		.meta({ access: 'admin' })
		.route({
			method: 'POST',
			path: '/api/settings/films/{film}/remove',
			summary: "Go back to the product's own film or captions",
		})
		.input(z.object({ film: z.enum(filmKeys), part: z.enum(filmParts), version }))
		.output(z.object({ version })),
};
