import { implement } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import { contract } from '#contract/contract.ts';
import { limits } from '#contract/core/limits.ts';
import { posterPath } from '#contract/files/files.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { readSingleFile } from '../../platform/http/forms/single-file-form.ts';
import { presentationOf, sendBlob } from '../../platform/http/responses/send-bytes.ts';
import * as copying from './copy-move/copy-nodes.ts';
import * as moving from './copy-move/move-nodes.ts';
import { listFolder } from './listing/listing.service.ts';
import { getFilesSettings } from './spaces/quota.ts';
import * as overview from './spaces/spaces.service.ts';
import * as thumbnails from './thumbnails/thumbnails.service.ts';
import * as trash from './trash/trash.service.ts';
import { ensureFolders } from './tree/ensure-folders.ts';
import { fileAccess } from './tree/file-access.ts';
import * as service from './tree/tree.service.ts';

export function fileRoutes(deps: Deps) {
	const os = implement(contract.files).$context<ApiContext>();
	return {
		list: os.list.handler(({ input, context }) => listFolder(deps, context.caller, input)),
		get: os.get.handler(({ input, context }) => service.getFile(deps, context.caller, input.id)),
		createFolder: os.createFolder.handler(({ input, context }) => service.createFolder(deps, context.caller, input)),
		ensureFolders: os.ensureFolders.handler(({ input, context }) => ensureFolders(deps, context.caller, input)),
		rename: os.rename.handler(({ input, context }) => service.renameNode(deps, context.caller, input)),
		move: os.move.handler(({ input, context }) => moving.moveNodes(deps, context.caller, input)),
		copy: os.copy.handler(({ input, context }) => copying.copyNodes(deps, context.caller, input)),
		remove: os.remove.handler(async ({ input, context }) => {
			await service.deleteNode(deps, context.caller, input.id);
			return {};
		}),
		removeMany: os.removeMany.handler(({ input, context }) => service.deleteNodes(deps, context.caller, input.ids)),
		listTrash: os.listTrash.handler(({ input, context }) => trash.listTrash(deps, context.caller, input)),
		restore: os.restore.handler(({ input, context }) => trash.restoreNode(deps, context.caller, input.id)),
		purge: os.purge.handler(async ({ input, context }) => {
			await trash.purgeNode(deps, context.caller, input.id);
			return {};
		}),
		restoreMany: os.restoreMany.handler(({ input, context }) => trash.restoreNodes(deps, context.caller, input.ids)),
		purgeMany: os.purgeMany.handler(({ input, context }) => trash.purgeNodes(deps, context.caller, input.ids)),
		emptyTrash: os.emptyTrash.handler(async ({ input, context }) => ({
			count: await trash.emptyTrash(deps, context.caller, input.owner),
		})),
	};
}

export function spaceRoutes(deps: Deps) {
	const os = implement(contract.spaces).$context<ApiContext>();
	return {
		list: os.list.handler(({ input }) => overview.listSpaces(deps, input)),
		setQuota: os.setQuota.handler(({ input, context }) => overview.setQuota(deps, context.caller, input)),
		getSettings: os.getSettings.handler(() => getFilesSettings(deps.db)),
		saveSettings: os.saveSettings.handler(({ input, context }) =>
			overview.saveFilesSettings(deps, context.caller, input),
		),
	};
}

/** `GET /api/files/:id/thumb` sends a thumbnail, `POST /api/files/:id/poster` stores one for a video. */
export function registerThumbnails(app: FastifyInstance, deps: Deps): void {
	app.get<{ Params: { id: string } }>(
		'/api/files/:id/thumb',
		{ config: { access: 'member', isLink: true } },
		async (request, reply) => {
			const blob = await thumbnails.requireThumbnail(deps, request.caller, request.params.id);
			return sendBlob(deps, request, reply, blob);
		},
	);

	app.post<{ Params: { id: string } }>(
		posterPath(':id'),
		{ config: { access: 'admin', isForm: true } },
		async (request, reply) => {
			const { bytes } = await readSingleFile(request, reply, {
				maxBytes: limits.posterMaxBytes,
				code: 'INVALID_INPUT',
			});
			await thumbnails.savePoster(deps, request.caller, request.params.id, bytes);
			return {};
		},
	);
}

/** `GET /api/files/:id/content`: a file's bytes, by ranges. Only listed preview types are inline, and never a PDF. */
export function registerFileBytes(app: FastifyInstance, deps: Deps): void {
	app.get<{ Params: { id: string }; Querystring: { download?: string } }>(
		'/api/files/:id/content',
		{ config: { access: 'member', isLink: true } },
		async (request, reply) => {
			const node = await fileAccess().requireNode(deps.db, request.caller, request.params.id);
			const blob = await fileAccess().requireBlob(deps.db, request.caller, node.blob_id);
			return sendBlob(deps, request, reply, blob, {
				...presentationOf(node.name, blob.content_type, request.query),
				isStillAllowed: () => fileAccess().canStillReadFile(deps.db, request.caller, node.id),
			});
		},
	);
}
