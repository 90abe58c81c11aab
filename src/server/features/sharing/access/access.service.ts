import { computedGroups, type GroupRef, isComputedGroup } from '#contract/accounts/groups.ts';
import { type Actor, type Caller, requireActor } from '../../../platform/actor.ts';
import { AppError, ignoreNotFound } from '../../../platform/app-error.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { createRegistration } from '../../../platform/deps.ts';
import { findBlob } from '../../../platform/storage/blobs.queries.ts';
import { findReader, type Reader } from '../../accounts/index.ts';
import * as files from '../../files/index.ts';
import { canReadSpace, type NodeLocation, withFolders } from '../../files/index.ts';
import { findShareRows, listShareRowsBelow, type ShareRow } from '../shares/shares.queries.ts';

/** Whether only admins may read the content with this SHA-256 (hex). This is true for the book's editions. */
export const protectedContent = createRegistration<(db: Db, sha256: string) => Promise<boolean>>('protected content');

export interface EffectiveAccess<T> {
	row: T;
	/** The folders above the node, from the root. */
	folders: NodeLocation[];
	/** The deciding share or exclusion: on the node itself, or else on the nearest folder above it. */
	nearest: DecidingRow | null;
	/** What would decide if the node had no share or exclusion of the reader's own. */
	nearestOfOthers: DecidingRow | null;
	/** Whether the parent folder is readable through a share. If so, lists show the node only inside the folder. */
	isParentReadable: boolean;
}

interface DecidingRow {
	entry: ShareRow;
	on: { id: string; name: string };
}

/** Resolves a user's access to each node through shares. Nodes in deleted folders are left out. */
export async function resolveAccess<T extends NodeLocation>(db: Db, reader: Reader, rows: readonly T[]) {
	const nodes = await withFolders(db, rows);
	const ids = new Set(nodes.flatMap(({ row, folders }) => [row.id, ...folders.map(({ id }) => id)]));
	const shareRows: ShareRow[] = [];
	for (const batch of splitIntoChunks([...ids], 1000)) shareRows.push(...(await findShareRows(db, reader, batch)));
	const rowsOfNodes = Map.groupBy(shareRows, ({ nodeId }) => nodeId);
	return nodes.map(({ row, folders }): EffectiveAccess<T> => {
		const above = findNearestShareRow(folders, (id) => decideOnNode(reader, rowsOfNodes.get(id)));
		const rowsOfNode = rowsOfNodes.get(row.id);
		const decideHere = (entries = rowsOfNode) => findNearestShareRow([row], () => decideOnNode(reader, entries));
		return {
			row,
			folders,
			nearest: decideHere() ?? above,
			nearestOfOthers: decideHere(rowsOfNode?.filter(({ recipientId }) => recipientId !== reader.id)) ?? above,
			isParentReadable: above?.entry.kind === 'share',
		};
	});
}

/** Finds the nearest share or exclusion. `chain`: from the root to the node itself. */
function findNearestShareRow(
	chain: ReadonlyArray<{ id: string; name: string }>,
	decide: (id: string) => ShareRow | undefined,
): DecidingRow | null {
	for (const { id, name } of chain.toReversed()) {
		const entry = decide(id);
		if (entry !== undefined) return { entry, on: { id, name } };
	}
	return null;
}

/** Returns the row that decides on one node: the reader's own, or else a group's share before a group's exclusion. */
export function decideOnNode<Row extends Pick<ShareRow, 'recipientId' | 'kind'>>(
	reader: Reader,
	rows: readonly Row[] = [],
): Row | undefined {
	const own = rows.find(({ recipientId }) => recipientId === reader.id);
	return own ?? rows.find(({ kind }) => kind === 'share') ?? rows[0];
}

/** Returns the group whose share or exclusion a row is; null for one of a user. */
export function groupOf({ recipientId: id, recipientKind, groupName }: ShareRow): GroupRef | null {
	if (recipientKind === 'user') return null;
	return { id, name: isComputedGroup(id) ? computedGroups[id] : (groupName ?? '') };
}

/** Whether files of a space can be shared. Those of the book cannot: members read them as editions. */
export function canShareSpace(ownerId: string): boolean {
	return ownerId !== 'book';
}

/** Whether a user can read the node through a share: the nearest row is a share, and the node is not the book's. */
export function isReadable({ row, nearest }: EffectiveAccess<NodeLocation>): boolean {
	return nearest?.entry.kind === 'share' && canShareSpace(row.owner_id);
}

/** Returns the nodes that a user can read through shares, with the names of the folders that the user may see. */
export async function findReadable(db: Db, reader: Reader, rows: readonly files.NodeRow[]) {
	const accesses = (await resolveAccess(db, reader, rows)).filter(isReadable);
	return accesses.map(({ row, folders, nearest }) => {
		const firstReadable = folders.findIndex(({ id }) => id === nearest?.on.id);
		return { row, folders: firstReadable < 0 ? [] : folders.slice(firstReadable).map(({ name }) => name) };
	});
}

export async function isSharedWith(db: Db, reader: Reader, node: files.NodeRow): Promise<boolean> {
	return (await findReadable(db, reader, [node])).length > 0;
}

/** Lists the ids of the nodes below a folder that are excluded for a reader. */
export async function listExclusionsBelow(db: Db, ownerId: string, path: string, reader: Reader) {
	const rows = Map.groupBy(await listShareRowsBelow(db, ownerId, path, reader), ({ nodeId }) => nodeId);
	const isExcluded = (nodeId: string) => decideOnNode(reader, rows.get(nodeId))?.kind === 'exclusion';
	return new Set([...rows.keys()].filter(isExcluded));
}

/** Lists the folders between a node and the nearest unreadable folder above it (or the root), outermost first. */
export async function listReadableFolders(db: Db, reader: Reader, node: NodeLocation) {
	const [located] = await withFolders(db, [node]);
	const folders = located?.folders ?? [];
	const accesses = await resolveAccess(db, reader, folders);
	const lastUnreadable = accesses.findLastIndex((access) => !isReadable(access));
	return folders.slice(lastUnreadable + 1);
}

/** Returns a node that the actor can read. @throws AppError NOT_FOUND when the node is absent or forbidden */
export async function requireNode(db: Db, caller: Caller, id: string): Promise<files.NodeRow> {
	const [node] = await requireNodes(db, caller, [id]);
	if (node === undefined) throw new AppError('NOT_FOUND');
	return node;
}

/** Returns all nodes of `ids` in order. @throws AppError NOT_FOUND when a node is absent or forbidden */
export async function requireNodes(db: Db, caller: Caller, ids: readonly string[]): Promise<files.NodeRow[]> {
	const nodes = await findReadableNodes(db, requireActor(caller), ids);
	if (nodes.length < new Set(ids).size) throw new AppError('NOT_FOUND');
	return nodes;
}

/** Returns the nodes of `ids` that the actor can read, in the order of `ids`, each once. */
export async function findReadableNodes(db: Db, actor: Pick<Actor, 'userId' | 'role'>, ids: readonly string[]) {
	const rows: files.NodeRow[] = [];
	for (const batch of splitIntoChunks([...new Set(ids)], 1000)) rows.push(...(await files.findNodes(db, batch)));
	const isOpen = (row: files.NodeRow) => canReadSpace(actor, row.owner_id);
	const closed = rows.filter((row) => !isOpen(row));
	const shared =
		closed.length === 0 ? [] : (await resolveAccess(db, await findReader(db, actor.userId), closed)).filter(isReadable);
	const readable = [...(await withFolders(db, rows.filter(isOpen))), ...shared].map(({ row }) => row);
	const byId = new Map(readable.map((row) => [row.id, row]));
	return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

/** Removes the nodes that the caller cannot read, such as excluded nodes in a shared folder. */
export async function filterReadable<T extends NodeLocation>(db: Db, caller: Caller, rows: readonly T[]) {
	const actor = requireActor(caller);
	if (rows.every((row) => canReadSpace(actor, row.owner_id))) return rows;
	const accesses = await resolveAccess(db, await findReader(db, actor.userId), rows);
	return accesses.filter(isReadable).map(({ row }) => row);
}

/**
 * Returns the blob of a file that the caller can read. Used for every request for file content. Only admins can
 * read the content of an edition, even from another file with the same content, because members get watermarked copies.
 * @throws AppError NOT_FOUND
 */
export async function requireBlob(db: Db, caller: Caller, blobId: string | null) {
	const blob = blobId === null ? undefined : await findBlob(db, blobId);
	if (blob === undefined) throw new AppError('NOT_FOUND');
	if (requireActor(caller).role !== 'admin' && (await protectedContent()(db, blob.sha256)))
		throw new AppError('NOT_FOUND');
	return blob;
}

/** Whether the caller can still read a file that is being sent. It may have become an edition meanwhile. */
export async function canStillReadFile(db: Db, caller: Caller, nodeId: string): Promise<boolean> {
	const readBlob = async () => requireBlob(db, caller, (await requireNode(db, caller, nodeId)).blob_id);
	return (await readBlob().catch(ignoreNotFound)) !== null;
}

export async function canStillReadAll(db: Db, caller: Caller, ids: readonly string[]): Promise<boolean> {
	return (await findReadableNodes(db, requireActor(caller), ids)).length === new Set(ids).size;
}

function splitIntoChunks<T>(list: T[], size: number): T[][] {
	return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}
