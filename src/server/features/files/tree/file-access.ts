import type { Caller } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { createRegistration } from '../../../platform/registration.ts';
import type { findBlob } from '../../../platform/storage/blobs.queries.ts';
import type { FolderRef, NodeRow } from './tree.queries.ts';

/** The columns needed to find the folders of a node. */
export type NodeLocation = Pick<NodeRow, 'id' | 'name' | 'owner_id' | 'path'>;

/** Functions of sharing that files use. Absent and forbidden nodes are both reported as NOT_FOUND. */
interface FileAccess {
	/** Returns a node that the caller may read, in their own space or through a share. @throws AppError NOT_FOUND */
	requireNode(db: Db, caller: Caller, id: string): Promise<NodeRow>;
	/** Returns the nodes in the order of `ids`. @throws AppError NOT_FOUND when one is absent or forbidden */
	requireNodes(db: Db, caller: Caller, ids: readonly string[]): Promise<NodeRow[]>;
	/** Returns the blob of a file, for a caller who may read the file itself. @throws AppError NOT_FOUND */
	requireBlob(
		db: Db,
		caller: Caller,
		blobId: string | null,
	): Promise<NonNullable<Awaited<ReturnType<typeof findBlob>>>>;
	canStillReadFile(db: Db, caller: Caller, nodeId: string): Promise<boolean>;
	canStillReadAll(db: Db, caller: Caller, ids: readonly string[]): Promise<boolean>;
	/** Removes nodes that are excluded for the caller, from nodes of a folder that the caller may read. */
	filterReadable<T extends NodeLocation>(db: Db, caller: Caller, rows: readonly T[]): Promise<readonly T[]>;
	/** Returns the nodes that a recipient of shares may read, with the names of the folders visible to the recipient. */
	findReadable(
		db: Db,
		recipientId: string,
		rows: readonly NodeRow[],
	): Promise<Array<{ row: NodeRow; folders: string[] }>>;
	/** Lists the folders above a node, from the outermost one below which all are readable for the recipient. */
	listReadableFolders(db: Db, recipientId: string, node: NodeLocation): Promise<FolderRef[]>;
	/** Sums, for each of these folders, its children that are excluded; `paths`: the paths of the children. */
	sumExcludedByFolder(
		db: Db,
		recipientId: string,
		ownerId: string,
		paths: string[],
	): Promise<Array<{ path: string; folders: number; files: number; sizeBytes: number }>>;
	/** Deletes all shares of a node. @returns the ids of their recipients */
	deleteSharesOfNode(tx: Db, nodeId: string): Promise<string[]>;
	/** Deletes all shares below a folder. @returns the ids of their recipients, possibly with duplicates */
	deleteSharesBelow(tx: Db, ownerId: string, path: string): Promise<string[]>;
	updateShareSortKeys(tx: Db, nodeId: string, sortKey: string): Promise<void>;
	/** Copies the exclusions of a replaced file to the new one. `sortKey`: the new file's. */
	copyExclusions(tx: Db, fromId: string, toId: string, sortKey: string): Promise<void>;
}

export const fileAccess = createRegistration<FileAccess>('access to files');
