export {
	isSharedWith,
	listExclusionsBelow,
	listReadableFolders,
	requireBlob,
	requireNode,
} from './access/access.service.ts';
export { listShareRecordsFor, listTopShares } from './share-lists/share-lists.service.ts';
