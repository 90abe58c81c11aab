import { implement } from '@orpc/server';
import { contract } from '#contract/contract.ts';
import type { ShareRecord } from '#contract/sharing/sharing.ts';
import { requireMember } from '../../platform/actor.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import * as views from './share-lists/share-lists.service.ts';
import * as service from './sharing.service.ts';

/** Routes for shares: changing them, and listing what is shared with a user. */
export function sharingRoutes(deps: Deps) {
	const os = implement(contract.sharing).$context<ApiContext>();
	return {
		listMine: os.listMine.handler(({ input, context }) =>
			views.listSharedWithMe(deps, requireMember(context.caller), input),
		),
		contentMine: os.contentMine.handler(({ input, context }) =>
			views.listSharedContent(deps, requireMember(context.caller), input),
		),
		list: os.list.handler(({ input }) => views.listSharesOfUser(deps, input)),
		content: os.content.handler(({ input, context }) => views.listContentAsRecipient(deps, context.caller, input)),
		states: os.states.handler(async ({ input }) => ({ items: await service.listShareStates(deps, input) })),
		marks: os.marks.handler(async ({ input }) => ({ ids: await views.listSharedNodeIds(deps, input.ids) })),
		share: os.share.handler(async ({ input, context }) => ({
			state: await service.shareNode(deps, requireMember(context.caller), input),
		})),
		shareMany: os.shareMany.handler(({ input, context }) =>
			service.shareNodes(deps, requireMember(context.caller), input),
		),
		unshare: os.unshare.handler(async ({ input, context }) => ({
			state: await service.unshareNode(deps, requireMember(context.caller), input),
		})),
		readers: os.readers.handler(({ input, context }) => views.listRecipients(deps, context.caller, input)),
		folderDocuments: os.folderDocuments.handler(async ({ input }) => {
			const { items, nextCursor } = await views.listShareRecords(deps, 0, input);
			return { items: items.filter(isFolderRecord), nextCursor };
		}),
		fileDocuments: os.fileDocuments.handler(async ({ input }) => {
			const { items, nextCursor } = await views.listShareRecords(deps, 1, input);
			return { items: items.filter(isFileRecord), nextCursor };
		}),
	};
}

function isFolderRecord(document: ShareRecord) {
	return 'folderPath' in document;
}

function isFileRecord(document: ShareRecord) {
	return 'filePath' in document;
}
