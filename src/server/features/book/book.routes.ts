import { implement } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import { type EditionKey, partAndLanguage, qrUploadPath } from '#contract/book/book-settings.ts';
import { contract } from '#contract/contract.ts';
import { limits } from '#contract/core/limits.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { readSingleFile } from '../../platform/http/forms/single-file-form.ts';
import { sendBlob } from '../../platform/http/responses/send-bytes.ts';
import { translate } from '../../platform/messages.ts';
import { getBookAccessOfUser, setBookAccess } from './access/access.service.ts';
import {
	getChapterMatching,
	listChapterMatches,
	saveChapterMatching,
} from './chapter-matching/chapter-matching.service.ts';
import * as bookSettingsService from './content/content.service.ts';
import { canStillReadEdition, getShelf, requireEditionContent } from './shelf/shelf.service.ts';

export function bookSettingsRoutes(deps: Deps) {
	const os = implement(contract.bookSettings).$context<ApiContext>();
	return {
		publicBook: os.publicBook.handler(async () =>
			bookSettingsService.presentPublicBook(await bookSettingsService.getBook(deps, deps.db)),
		),
		get: os.get.handler(({ context }) => bookSettingsService.getBookForAdmin(deps, context.caller.locale)),
		editionPlaces: os.editionPlaces.handler(async () => ({
			items: await bookSettingsService.listEditionLocations(deps),
		})),
		save: os.save.handler(({ input, context }) => bookSettingsService.saveBook(deps, context.caller, input)),
	};
}

/** Routes for uploading the payment QR (multipart, one file) and for its image. */
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
	const os = implement(contract.reader).$context<ApiContext>();
	return { shelf: os.shelf.handler(({ context }) => getShelf(deps, context.caller)) };
}

export function bookAccessRoutes(deps: Deps) {
	const os = implement(contract.bookGrants).$context<ApiContext>();
	return {
		get: os.get.handler(({ input }) => getBookAccessOfUser(deps, input.id)),
		set: os.set.handler(({ input, context }) => setBookAccess(deps, context.caller, input)),
	};
}

/** `GET /api/editions/:key/content`: an edition by ranges, for a member their own copy; each request checks access. */
export function registerEditionContent(app: FastifyInstance, deps: Deps): void {
	app.get<{ Params: { key: string }; Querystring: { v?: unknown; download?: unknown } }>(
		'/api/editions/:key/content',
		{ config: { access: 'member', isLink: true } },
		async (request, reply) => {
			const { v, download } = request.query;
			const editionRequest = {
				key: request.params.key,
				version: v === undefined ? undefined : String(v),
				isDownload: download !== undefined,
			};
			const { key, title, blob } = await requireEditionContent(deps, request.caller, editionRequest);
			return sendBlob(deps, request, reply, blob, {
				contentType: 'application/pdf',
				isStillAllowed: () => canStillReadEdition(deps, request.caller, { ...editionRequest, version: blob.id }),
				...(editionRequest.isDownload && { attachmentName: editionFileName(title, key) }),
			});
		},
	);
}

/** Returns a file name in the edition's language, not the user's. */
function editionFileName(title: string, key: EditionKey): string {
	const { part, language } = partAndLanguage(key);
	return `${translate('reader_file_name', language, { title, part: String(part) })}.pdf`;
}

/** Routes for the chapter matches between the two languages, for readers and for the owner. */
export function chapterMatchingRoutes(deps: Deps) {
	const os = implement(contract.outlinePairs).$context<ApiContext>();
	return {
		read: os.read.handler(({ context }) => listChapterMatches(deps, context.caller)),
		get: os.get.handler(({ context }) => getChapterMatching(deps, context.caller.locale)),
		save: os.save.handler(({ input, context }) => saveChapterMatching(deps, context.caller, input)),
	};
}
