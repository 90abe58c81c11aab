import { implement } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import { contract } from '#contract/contract.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { sendBytes } from '../../platform/http/bytes.ts';
import * as service from './files.service.ts';

/** Folders and files of spaces. */
export function fileRoutes(deps: Deps) {
	const os = implement(contract.files).$context<ApiContext>();
	return {
		list: os.list.handler(({ input, context }) => service.listFolder(deps, context.caller, input)),
		createFolder: os.createFolder.handler(({ input, context }) => service.createFolder(deps, context.caller, input)),
		renameFolder: os.renameFolder.handler(({ input, context }) => service.renameFolder(deps, context.caller, input)),
		remove: os.remove.handler(async ({ input, context }) => {
			await service.removeNode(deps, context.caller, input.id);
			return {};
		}),
	};
}

/** `GET /api/files/:id/content`: the bytes, authorised anew for every request; inline only for listed preview types. */
export function registerFileBytes(app: FastifyInstance, deps: Deps): void {
	app.get<{ Params: { id: string }; Querystring: { download?: string } }>(
		'/api/files/:id/content',
		{ config: { access: 'member' } },
		async (request, reply) => {
			const node = await service.requireNode(deps, request.caller, request.params.id);
			const blob = node.blob_id === null ? undefined : await service.findBlob(deps.db, node.blob_id);
			if (blob === undefined) throw new AppError('NOT_FOUND');
			const isInline = request.query.download === undefined && service.previewOf(node.name, blob.content_type) !== null;
			return sendBytes(deps, request, reply, {
				storageKey: blob.storage_key,
				sizeBytes: blob.size_bytes,
				contentType: isInline ? blob.content_type : 'application/octet-stream',
				etag: blob.id,
				...(!isInline && { attachmentName: node.name }),
			});
		},
	);
}
