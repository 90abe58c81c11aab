import type { FastifyInstance } from 'fastify';
import { contract } from '#contract/contract.ts';
import { limits } from '#contract/core/limits.ts';
import { posterPath } from '#contract/files/files.ts';
import type { Deps } from '../../platform/deps.ts';
import { implementEndpoints } from '../../platform/http/api.ts';
import { readSingleFile } from '../../platform/http/forms/single-file-form.ts';
import { presentationOf, sendBlob } from '../../platform/http/responses/send-bytes.ts';
import { saveSetting } from '../settings/index.ts';
import { copyNodes } from './copy-move/copy-nodes.ts';
import { moveNode } from './copy-move/move-nodes.ts';
import { listFolder } from './listing/listing.service.ts';
import { filesSetting, getFilesSettings } from './spaces/quota.ts';
import * as overview from './spaces/spaces.service.ts';
import * as thumbnails from './thumbnails/thumbnails.service.ts';
import * as trash from './trash/trash.service.ts';
import { ensureFolders } from './tree/ensure-folders.ts';
import { fileAccess } from './tree/file-access.ts';
import * as service from './tree/tree.service.ts';

export function fileRoutes(deps: Deps) {
	return implementEndpoints(contract.files, {
		list: (input, caller) => listFolder(deps, caller, input),
		get: (input, caller) => service.getFile(deps, caller, input.id),
		createFolder: (input, caller) => service.createFolder(deps, caller, input),
		ensureFolders: (input, caller) => ensureFolders(deps, caller, input),
		rename: (input, caller) => service.renameNode(deps, caller, input),
		move: ({ ids, path }, caller) => service.runBulk(deps, caller, ids, (id) => moveNode(deps, caller, id, path)),
		copy: (input, caller) => copyNodes(deps, caller, input),
		remove: (input, caller) => service.deleteNode(deps, caller, input.id),
		removeMany: ({ ids }, caller) => service.runBulk(deps, caller, ids, (id) => service.deleteNode(deps, caller, id)),
		listTrash: (input, caller) => trash.listTrash(deps, caller, input),
		restore: (input, caller) => trash.restoreNode(deps, caller, input.id),
		purge: (input, caller) => trash.purgeNode(deps, caller, input.id),
		restoreMany: ({ ids }, caller) => service.runBulk(deps, caller, ids, (id) => trash.restoreNode(deps, caller, id)),
		purgeMany: ({ ids }, caller) => service.runBulk(deps, caller, ids, (id) => trash.purgeNode(deps, caller, id)),
		emptyTrash: async (input, caller) => ({ count: await trash.emptyTrash(deps, caller, input.owner) }),
	});
}

export function spaceRoutes(deps: Deps) {
	return implementEndpoints(contract.spaces, {
		list: (input) => overview.listSpaces(deps, input),
		setQuota: (input, caller) => overview.setQuota(deps, caller, input),
		getSettings: () => getFilesSettings(deps.db),
		saveSettings: (input, caller) => saveSetting(deps, caller, filesSetting, input, 'files-settings-saved'),
	});
}

/** Registers `GET /api/files/:id/thumb`, and `POST /api/files/:id/poster`, which stores a video's thumbnail. */
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
			const bounds = { maxBytes: limits.posterMaxBytes, code: 'INVALID_INPUT' } as const;
			const { bytes } = await readSingleFile(request, reply, bounds);
			await thumbnails.savePoster(deps, request.caller, request.params.id, bytes);
			return {};
		},
	);
}

/** Registers `GET /api/files/:id/content`: a file or a range of it. Types with a preview are inline, except PDF. */
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
