import type { FastifyInstance } from 'fastify';
import { qrUploadPath } from '#contract/book/book-settings.ts';
import { contract } from '#contract/contract.ts';
import { limits } from '#contract/core/limits.ts';
import { requireMember } from '../../platform/actor.ts';
import { ignoreNotFound } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { implementEndpoints } from '../../platform/http/api.ts';
import { readSingleFile } from '../../platform/http/forms/single-file-form.ts';
import { sendBlob } from '../../platform/http/responses/send-bytes.ts';
import { getBookAccessOfUser, setBookAccess } from './access/access.service.ts';
import {
	getChapterMatching,
	listChapterMatches,
	saveChapterMatching,
} from './chapter-matching/chapter-matching.service.ts';
import * as bookSettingsService from './content/content.service.ts';
import { releaseFormerEdition } from './editions/editions.service.ts';
import { getShelf, requireEditionContent } from './shelf/shelf.service.ts';

export function bookSettingsRoutes(deps: Deps) {
	return implementEndpoints(contract.bookSettings, {
		publicBook: async () => bookSettingsService.presentPublicBook(await bookSettingsService.getBook(deps, deps.db)),
		get: (_input, caller) => bookSettingsService.getBookForAdmin(deps, caller.locale),
		editionPlaces: () => bookSettingsService.listEditionLocations(deps),
		save: (input, caller) => bookSettingsService.saveBook(deps, caller, input),
		releaseFormerEdition: (input, caller) => releaseFormerEdition(deps, caller, input),
	});
}

export function registerPaymentQr(app: FastifyInstance, deps: Deps): void {
	app.post(qrUploadPath, { config: { access: 'admin', isForm: true } }, async (request, reply) => {
		const file = await readSingleFile(request, reply, { maxBytes: limits.qrMaxBytes, code: 'QR_UPLOAD_FAILED' });
		return bookSettingsService.saveQr(deps, request.caller, file);
	});

	app.get<{ Params: { id: string } }>('/api/qr/:id', { config: { access: 'public' } }, async (request, reply) => {
		const blob = await bookSettingsService.getQrBlob(deps, request.params.id);
		return sendBlob(deps, request, reply, blob);
	});
}

export function shelfRoutes(deps: Deps) {
	return implementEndpoints(contract.reader, { shelf: (_input, caller) => getShelf(deps, requireMember(caller)) });
}

export function bookAccessRoutes(deps: Deps) {
	return implementEndpoints(contract.bookGrants, {
		get: (input) => getBookAccessOfUser(deps, input.id),
		set: (input, caller) => setBookAccess(deps, caller, input),
	});
}

/**
 * Registers `GET /api/editions/:key/content`, which sends an edition or a byte range of it. A member gets their own
 * watermarked copy.
 */
export function registerEditionContent(app: FastifyInstance, deps: Deps): void {
	app.get<{ Params: { key: string }; Querystring: { v?: unknown; download?: unknown } }>(
		'/api/editions/:key/content',
		{ config: { access: 'member', isLink: true } },
		async (request, reply) => {
			const caller = requireMember(request.caller);
			const { v, download } = request.query;
			const editionRequest = {
				key: request.params.key,
				version: v === undefined ? undefined : String(v),
				isDownload: download !== undefined,
			};
			const { fileName, blob } = await requireEditionContent(deps, caller, editionRequest);
			return sendBlob(deps, request, reply, blob, {
				contentType: 'application/pdf',
				isStillAllowed: async () => {
					const sameEdition = { ...editionRequest, version: blob.id };
					return (await requireEditionContent(deps, caller, sameEdition).catch(ignoreNotFound)) !== null;
				},
				...(editionRequest.isDownload && { attachmentName: fileName }),
			});
		},
	);
}

export function chapterMatchingRoutes(deps: Deps) {
	return implementEndpoints(contract.outlinePairs, {
		read: (_input, caller) => listChapterMatches(deps, requireMember(caller)),
		get: (_input, caller) => getChapterMatching(deps, caller.locale),
		save: (input, caller) => saveChapterMatching(deps, caller, input),
	});
}
