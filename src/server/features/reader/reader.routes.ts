import { implement } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import { contract } from '#contract/contract.ts';
import { type EditionKey, partAndLanguage } from '#contract/settings/book-settings.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { sendBlob } from '../../platform/http/bytes.ts';
import { textOf } from '../../platform/messages.ts';
import { getPersonBookAccess, setBookGrant } from './book-access.service.ts';
import { mayStillReadEdition, openShelf, requireEdition } from './reader.service.ts';

/** The member's shelf. */
export function readerRoutes(deps: Deps) {
	const os = implement(contract.reader).$context<ApiContext>();
	return { shelf: os.shelf.handler(({ context }) => openShelf(deps, context.caller)) };
}

/** The book given to members without an order. */
export function bookGrantRoutes(deps: Deps) {
	const os = implement(contract.bookGrants).$context<ApiContext>();
	return {
		get: os.get.handler(({ input }) => getPersonBookAccess(deps, input.id)),
		set: os.set.handler(({ input, context }) => setBookGrant(deps, context.caller, input)),
	};
}

/** `GET /api/editions/:key/content`: an edition's bytes by ranges, a member's own copy; access is looked up for each of them. */
export function registerEditionBytes(app: FastifyInstance, deps: Deps): void {
	app.get<{ Params: { key: string }; Querystring: { v?: unknown; download?: unknown } }>(
		'/api/editions/:key/content',
		{ config: { access: 'member', isLink: true } },
		async (request, reply) => {
			const { v, download } = request.query;
			const wish = {
				key: request.params.key,
				version: v === undefined ? undefined : String(v),
				isDownload: download !== undefined,
			};
			const { key, title, blob } = await requireEdition(deps, request.caller, wish);
			return sendBlob(deps, request, reply, blob, {
				contentType: 'application/pdf',
				mayGoOn: () => mayStillReadEdition(deps, request.caller, { ...wish, version: blob.id }),
				...(wish.isDownload && { attachmentName: fileNameOf(title, key) }),
			});
		},
	);
}

/** Named in the edition's own language, whoever saves it. */
function fileNameOf(title: string, key: EditionKey): string {
	const { part, language } = partAndLanguage(key);
	return `${textOf('reader_file_name', language, { title, part: String(part) })}.pdf`;
}
