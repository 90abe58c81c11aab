import type { Db } from '../../db/schema.ts';

/** The bytes behind some files, deleted or not. */
export function findBlobsOfNodes(db: Db, nodeIds: readonly string[]) {
	return db
		.selectFrom('nodes')
		.innerJoin('blobs', 'blobs.id', 'nodes.blob_id')
		.select(['nodes.id as nodeId', 'blobs.id as blobId', 'blobs.sha256'])
		.where('nodes.id', 'in', nodeIds)
		.execute();
}
