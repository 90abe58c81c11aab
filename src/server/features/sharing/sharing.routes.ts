import { contract } from '#contract/contract.ts';
import { requireMember } from '../../platform/actor.ts';
import type { Deps } from '../../platform/deps.ts';
import { implementEndpoints } from '../../platform/http/api.ts';
import * as views from './share-lists/share-lists.service.ts';
import { listReaders } from './share-lists/share-readers.ts';
import { listShareRecords } from './share-lists/share-records.ts';
import * as service from './sharing.service.ts';

export function sharingRoutes(deps: Deps) {
	return implementEndpoints(contract.sharing, {
		listMine: (input, caller) => views.listSharedWithCaller(deps, requireMember(caller), input),
		contentMine: (input, caller) => views.listSharedContent(deps, requireMember(caller), input),
		list: (input) => views.listSharesOfUser(deps, input),
		content: (input, caller) => views.listContentAsRecipient(deps, caller, input),
		states: async (input) => ({ items: await service.listShareStates(deps, input) }),
		marks: async (input) => ({ ids: await views.listSharedNodeIds(deps, input.ids) }),
		share: async (input, caller) => ({ state: await service.shareNode(deps, requireMember(caller), input) }),
		shareMany: (input, caller) => service.shareNodes(deps, requireMember(caller), input),
		unshare: async (input, caller) => ({ state: await service.unshareNode(deps, requireMember(caller), input) }),
		readers: (input, caller) => listReaders(deps, caller, input),
		folderDocuments: async (input) => {
			const { items, nextCursor } = await listShareRecords(deps, 0, input);
			return { items: items.filter((item) => 'folderPath' in item), nextCursor };
		},
		fileDocuments: async (input) => {
			const { items, nextCursor } = await listShareRecords(deps, 1, input);
			return { items: items.filter((item) => 'filePath' in item), nextCursor };
		},
	});
}
