// The public interface of the files feature for other features.
export {
	getSharedBreadcrumb,
	type ListQuery,
	listWithTotals,
	readPage,
	searchPage,
} from './listing/listing.service.ts';
export { getFilesSettings } from './spaces/quota.ts';
export { canReadSpace, canShareSpace, reservedOwners } from './spaces/spaces.policy.ts';
export { lockSpace } from './spaces/spaces.queries.ts';
export { listKeysPendingPurge } from './trash/trash.jobs.ts';
export { purgeExpired } from './trash/trash.service.ts';
export type { NodeLocation } from './tree/file-access.ts';
export {
	findLiveNode,
	findLiveRows,
	getBreadcrumb,
	pathBelow,
	presentNodes,
	withFolders,
} from './tree/nodes.ts';
export {
	type FolderRef,
	findNodes,
	isBelow,
	listBelow,
	listFilesByEnding,
	listPathsBelow,
	type NodeRow,
	typeColumns,
} from './tree/tree.queries.ts';
export { resumeOrDiscardUploads } from './uploads/uploads.service.ts';
