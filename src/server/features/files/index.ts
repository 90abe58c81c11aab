// What other features may do with folders, files and their bytes.
export { deleteUnusedBlobs, isUnusedBlob } from './blobs/blobs.queries.ts';
export {
	cursorAfter,
	getSharedBreadcrumb,
	kindOrdersOf,
	type ListQuery,
	listCursor,
	listWithTotals,
	searchPage,
	sortForKind,
} from './listing/listing.service.ts';
export { requireActor, requireSpace } from './spaces/find-space.ts';
export { getFilesSettings, requireQuota, requireQuotaWithPending } from './spaces/quota.ts';
export { canReadSpace, canShareSpace, reservedOwners } from './spaces/spaces.policy.ts';
export { lockSpace } from './spaces/spaces.queries.ts';
export { queueThumbnail } from './thumbnails/thumbnails.service.ts';
export { listKeysPendingPurge } from './trash/trash.jobs.ts';
export { purgeExpired } from './trash/trash.service.ts';
export { addFile, resolveNameConflict } from './tree/add-file.ts';
export type { NodeLocation } from './tree/file-access.ts';
export { requireName } from './tree/node-names.ts';
export {
	findLiveNode,
	findLiveRows,
	getBreadcrumb,
	getFolder,
	pathBelow,
	presentNodes,
	type TargetFolder,
	withFolderNames,
	withFolders,
} from './tree/nodes.ts';
export {
	type FolderRef,
	findBlob,
	findNodeIncludingTrashed,
	findNodes,
	insertBlob,
	isBelow,
	listBelow,
	listFilesByEnding,
	listPathsBelow,
	type NodePath,
	type NodeRow,
	sortValueOf,
	typeColumns,
} from './tree/tree.queries.ts';
export {
	lockOwnerAndFolder,
	newStorageKey,
	publishBookAccessChanged,
	publishNodesChanged,
	withNameConflict,
} from './tree/tree.service.ts';
