import type { Caller } from '../../../platform/actor.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { createRegistration } from '../../../platform/deps.ts';
import type { BlobRow } from '../../../platform/storage/blobs.queries.ts';
import type { Reader } from '../../accounts/index.ts';
import type { TotalsChange } from '../spaces/spaces.queries.ts';
import type { FolderRef, NodeRow } from './tree.queries.ts';

export type NodeLocation = Pick<NodeRow, 'id' | 'name' | 'owner_id' | 'path'>;

export interface FoundNode {
	row: NodeRow;
	/** Names of the node's parent folders, without folders that the user may not see. */
	folders: string[];
}

type FolderTotals = TotalsChange & { path: string };

export interface Recipient {
	id: string;
	kind: 'user' | 'group';
}

/** Functions of the sharing feature that this feature calls; see its access.service.ts and shares.queries.ts. */
interface FileAccess {
	requireNode(db: Db, caller: Caller, id: string): Promise<NodeRow>;
	requireNodes(db: Db, caller: Caller, ids: readonly string[]): Promise<NodeRow[]>;
	requireBlob(db: Db, caller: Caller, blobId: string | null): Promise<BlobRow>;
	canStillReadFile(db: Db, caller: Caller, nodeId: string): Promise<boolean>;
	canStillReadAll(db: Db, caller: Caller, ids: readonly string[]): Promise<boolean>;
	filterReadable<T extends NodeLocation>(db: Db, caller: Caller, rows: readonly T[]): Promise<readonly T[]>;
	findReadable(db: Db, reader: Reader, rows: readonly NodeRow[]): Promise<FoundNode[]>;
	listReadableFolders(db: Db, reader: Reader, node: NodeLocation): Promise<FolderRef[]>;
	sumExcludedByFolder(db: Db, reader: Reader, ownerId: string, paths: string[]): Promise<FolderTotals[]>;
	deleteSharesOfNode(tx: Db, nodeId: string): Promise<Recipient[]>;
	deleteSharesBelow(tx: Db, ownerId: string, path: string): Promise<Recipient[]>;
	updateShareSortKeys(tx: Db, nodeId: string, sortKey: string): Promise<void>;
	copyExclusions(tx: Db, fromId: string, toId: string, sortKey: string): Promise<void>;
}

export const fileAccess = createRegistration<FileAccess>('access to files');
