import type { Caller } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { createRegistration } from '../../../platform/registration.ts';
import type { FolderRef, findBlob, NodeRow } from './tree.queries.ts';

/** What the folders of a node are found by. */
export type NodeLocation = Pick<NodeRow, 'id' | 'name' | 'owner_id' | 'path'>;

/** What files need of shares. A node that is absent and one that is forbidden are answered alike, with NOT_FOUND. */
export interface FileAccess {
	/** A node that the caller may read: in a space of theirs, or by a share. @throws AppError NOT_FOUND */
	requireNode(db: Db, caller: Caller, id: string): Promise<NodeRow>;
	/** All of some nodes, in their order. @throws AppError NOT_FOUND when one is absent or forbidden */
	requireNodes(db: Db, caller: Caller, ids: readonly string[]): Promise<NodeRow[]>;
	/** The bytes of a file, for a caller who may read the file itself. @throws AppError NOT_FOUND */
	requireBlob(
		db: Db,
		caller: Caller,
		blobId: string | null,
	): Promise<NonNullable<Awaited<ReturnType<typeof findBlob>>>>;
	/** Whether the caller may read a file's bytes at this moment. */
	canStillReadFile(db: Db, caller: Caller, nodeId: string): Promise<boolean>;
	/** Whether the caller may read all of these at this moment. */
	canStillReadAll(db: Db, caller: Caller, ids: readonly string[]): Promise<boolean>;
	/** Of nodes in a folder that the caller reads those that are not left out for them. */
	filterReadable<T extends NodeLocation>(db: Db, caller: Caller, rows: readonly T[]): Promise<readonly T[]>;
	/** Of some nodes those that a recipient of shares reads, with the names of the folders that they may know. */
	findReadable(
		db: Db,
		recipientId: string,
		rows: readonly NodeRow[],
	): Promise<Array<{ row: NodeRow; folders: string[] }>>;
	/** From the outermost folder that a recipient reads without a gap down to the node's own folder. */
	listReadableFolders(db: Db, recipientId: string, node: NodeLocation): Promise<FolderRef[]>;
	/** What is excluded for a recipient right in some folders of a space. `paths` of what lies in them. */
	sumExcludedByFolder(
		db: Db,
		recipientId: string,
		ownerId: string,
		paths: string[],
	): Promise<Array<{ path: string; folders: number; files: number; sizeBytes: number }>>;
	/** Ends all shares of a node. @returns whose they were */
	deleteSharesOfNode(tx: Db, nodeId: string): Promise<string[]>;
	/** Ends all shares below a folder. @returns whose they were; an ID may come more than once */
	deleteSharesBelow(tx: Db, ownerId: string, path: string): Promise<string[]>;
	/** Keeps the order of a recipient's list after a node was renamed. */
	updateShareSortKeys(tx: Db, nodeId: string, sortKey: string): Promise<void>;
	/** Who was excluded from a replaced file is excluded from the new one. `sortKey`: of the new one. */
	copyExclusions(tx: Db, fromId: string, toId: string, sortKey: string): Promise<void>;
}

export const fileAccess = createRegistration<FileAccess>('access to files');
