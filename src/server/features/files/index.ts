// The public interface of the files feature for other features.
export { getFolderContent, readPage, searchPage } from './listing/listing.service.ts';
export { getFilesSettings } from './spaces/quota.ts';
export { canReadSpace } from './spaces/spaces.policy.ts';
export { lockSpace } from './spaces/spaces.queries.ts';
export { listKeysPendingPurge } from './trash/trash.jobs.ts';
export { purgeExpired } from './trash/trash.service.ts';
export type { NodeLocation } from './tree/file-access.ts';
export { findLiveNode, lockNode, presentNodes, withFolders } from './tree/nodes.ts';
export { findNodes, listBelow, type NodeRow } from './tree/tree.queries.ts';
export { resumeOrDiscardUploads } from './uploads/uploads.service.ts';
