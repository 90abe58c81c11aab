import { implement } from '@orpc/server';
import { contract } from '#contract/contract.ts';
import type { SharedDocument } from '#contract/sharing/sharing.ts';
import { requireMember } from '../../platform/actor.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import * as service from './sharing.service.ts';
import * as views from './sharing.views.ts';

/** Shares: who may read what besides their own, and what they see of it. */
export function sharingRoutes(deps: Deps) {
	const os = implement(contract.sharing).$context<ApiContext>();
	return {
		listMine: os.listMine.handler(({ input, context }) => views.listShared(deps, requireMember(context.caller), input)),
		contentMine: os.contentMine.handler(({ input, context }) =>
			views.listSharedContent(deps, requireMember(context.caller), input),
		),
		list: os.list.handler(({ input }) => views.listSharesOf(deps, input)),
		content: os.content.handler(({ input, context }) => views.listContentOf(deps, context.caller, input)),
		states: os.states.handler(async ({ input }) => ({ items: await service.listStates(deps, input) })),
		marks: os.marks.handler(async ({ input }) => ({ ids: await views.listMarked(deps, input.ids) })),
		share: os.share.handler(async ({ input, context }) => ({
			state: await service.shareNode(deps, requireMember(context.caller), input),
		})),
		unshare: os.unshare.handler(async ({ input, context }) => ({
			state: await service.unshareNode(deps, requireMember(context.caller), input),
		})),
		readers: os.readers.handler(({ input, context }) => views.listReaders(deps, context.caller, input)),
		folderDocuments: os.folderDocuments.handler(async ({ input }) => {
			const { items, nextCursor } = await views.listDocuments(deps, 0, input);
			return { items: items.filter(isFolder), nextCursor };
		}),
		fileDocuments: os.fileDocuments.handler(async ({ input }) => {
			const { items, nextCursor } = await views.listDocuments(deps, 1, input);
			return { items: items.filter(isFile), nextCursor };
		}),
	};
}

function isFolder(document: SharedDocument) {
	return 'folderPath' in document;
}

function isFile(document: SharedDocument) {
	return 'filePath' in document;
}
