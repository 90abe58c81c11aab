// Public interface of sharing: which users can read which files.
export { type EffectiveAccess, isReadable, requireBlob, requireNode, resolveAccess } from './access/access.service.ts';
export { listShareRecordsFor, listTopShares } from './share-lists/share-lists.service.ts';
export { listShareKindsBelow } from './shares/shares.queries.ts';
