import { implement } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import { contract } from '#contract/contract.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { sendBlob } from '../../platform/http/bytes.ts';
import { getShelf, mayStillReadEdition, requireEditionBlob } from './reader.service.ts';

/** The member's shelf. */
export function readerRoutes(deps: Deps) {
	const os = implement(contract.reader).$context<ApiContext>();
	return { shelf: os.shelf.handler(({ context }) => getShelf(deps, context.caller)) };
}

/** `GET /api/editions/:key/content`: an edition's bytes by ranges; access is looked up for each of them. */
export function registerEditionBytes(app: FastifyInstance, deps: Deps): void {
	app.get<{ Params: { key: string } }>(
		'/api/editions/:key/content',
		{ config: { access: 'member', isLink: true } },
		async (request, reply) => {
			const blob = await requireEditionBlob(deps, request.caller, request.params.key);
			return sendBlob(deps, request, reply, blob, {
				contentType: 'application/pdf',
				mayGoOn: () => mayStillReadEdition(deps, request.caller),
			});
		},
	);
}
