import type { FastifyInstance } from 'fastify';
import { limits } from '#contract/core/limits.ts';
import { imagesFolder, storefrontImagePath } from '#contract/storefront/content.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { readSingleFile } from '../../../platform/http/forms/single-file-form.ts';
import { sendBlob } from '../../../platform/http/responses/send-bytes.ts';
import { getFileBlob } from './content-files.service.ts';
import { pictureQuery, savePicture } from './picture-upload.ts';

/** The content of an address never changes, because each upload gets its own ID. */
const immutable = 'public, max-age=31536000, immutable';

export function registerContentFiles(app: FastifyInstance, deps: Deps): void {
	app.post<{ Querystring: Record<string, string> }>(
		storefrontImagePath,
		{ config: { access: 'admin', isForm: true } },
		async (request, reply) => {
			const { kind, ...crop } = request.query;
			const query = pictureQuery.safeParse({ kind, crop: Object.keys(crop).length === 0 ? null : crop });
			if (!query.success) throw new AppError('INVALID_INPUT');
			const file = await readSingleFile(request, reply, {
				maxBytes: limits.storefrontImageMaxBytes,
				tooLarge: 'error_picture_too_large',
				code: 'STOREFRONT_IMAGE_REFUSED',
			});
			return savePicture(deps, request.caller, query.data, file);
		},
	);
	app.get<{ Params: { id: string; name: string } }>(
		`${imagesFolder}:id/:name`,
		{ config: { access: 'public' } },
		async (request, reply) => {
			const { id, name } = request.params;
			// The original is never sent: a photo may contain the place where it was taken.
			if (!/^\d+\.[a-z]+$/u.test(name)) throw new AppError('NOT_FOUND');
			const blob = await getFileBlob(deps, request.caller, id, name);
			return sendBlob(deps, request, reply, blob, blob.isPublished === 1 ? { cacheControl: immutable } : {});
		},
	);
	app.get<{ Params: { id: string } }>('/api/films/:id', { config: { access: 'public' } }, async (request, reply) => {
		const blob = await getFileBlob(deps, request.caller, request.params.id, 'file');
		return sendBlob(deps, request, reply, blob, blob.isPublished === 1 ? { cacheControl: immutable } : {});
	});
}
