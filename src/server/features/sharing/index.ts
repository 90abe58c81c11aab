// What other features may ask about shares: who reads which file.
export { type EffectiveAccess, isReadable, requireBlob, requireNode, resolveAccess } from './access/access.service.ts';
export { listShareRecordsFor, listTopShares } from './share-lists/share-lists.service.ts';
export { listShareKindsBelow } from './shares/shares.queries.ts';
