import { type Actor, type Caller, requireActor } from '../../../platform/actor.ts';
import { AppError, ignoreNotFound } from '../../../platform/app-error.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { createRegistration } from '../../../platform/deps.ts';
import { findBlob } from '../../../platform/storage/blobs.queries.ts';
import * as files from '../../files/index.ts';
import { canReadSpace, type NodeLocation, withFolders } from '../../files/index.ts';
import { findShareRows, type ShareRow } from '../shares/shares.queries.ts';

/** Whether only admins may read the content with this SHA-256 (hex). This is true for the book's editions. */
export const protectedContent = createRegistration<(db: Db, sha256: string) => Promise<boolean>>('protected content');

export interface EffectiveAccess<T> {
	row: T;
	/** The folders above the node, from the root. */
	folders: NodeLocation[];
	/** The deciding share or exclusion: on the node itself, or else on the nearest folder above it. */
	nearest: { entry: ShareRow; on: { id: string; name: string } } | null;
	/** Whether the parent folder is readable through a share. If so, lists show the node only inside the folder. */
	isParentReadable: boolean;
}

/** Resolves a user's access to each node through shares. Nodes in deleted folders are left out. */
export async function resolveAccess<T extends NodeLocation>(db: Db, recipientId: string, rows: readonly T[]) {
	const nodes = await withFolders(db, rows);
	const ids = new Set(nodes.flatMap(({ row, folders }) => [row.id, ...folders.map(({ id }) => id)]));
	const shareRows = new Map<string, ShareRow>();
	for (const batch of splitIntoChunks([...ids], 1000))
		for (const entry of await findShareRows(db, recipientId, batch)) shareRows.set(entry.nodeId, entry);
	return nodes.map(({ row, folders }) => ({
		row,
		folders,
		nearest: findNearestShareRow([...folders, row], shareRows),
		isParentReadable: findNearestShareRow(folders, shareRows)?.entry.kind === 'share',
	}));
}

/** Finds the nearest share or exclusion. `chain`: from the root to the node itself. */
function findNearestShareRow(
	chain: ReadonlyArray<{ id: string; name: string }>,
	shareRows: ReadonlyMap<string, ShareRow>,
) {
	const on = chain.findLast(({ id }) => shareRows.has(id));
	const shareRow = on && shareRows.get(on.id);
	return on === undefined || shareRow === undefined ? null : { entry: shareRow, on: { id: on.id, name: on.name } };
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
export async function findReadable(db: Db, recipientId: string, rows: readonly files.NodeRow[]) {
	const accesses = (await resolveAccess(db, recipientId, rows)).filter(isReadable);
	return accesses.map(({ row, folders, nearest }) => {
		const firstReadable = folders.findIndex(({ id }) => id === nearest?.on.id);
		return { row, folders: firstReadable < 0 ? [] : folders.slice(firstReadable).map(({ name }) => name) };
	});
}

export async function isSharedWith(db: Db, recipientId: string, node: files.NodeRow): Promise<boolean> {
	return (await findReadable(db, recipientId, [node])).length > 0;
}

/** Lists the folders between a node and the nearest unreadable folder above it (or the root), outermost first. */
export async function listReadableFolders(db: Db, recipientId: string, node: NodeLocation) {
	const [located] = await withFolders(db, [node]);
	const folders = located?.folders ?? [];
	const accesses = await resolveAccess(db, recipientId, folders);
	const outermost = accesses.findLastIndex((access) => !isReadable(access));
	return folders.slice(outermost + 1);
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
	const shared = closed.length === 0 ? [] : (await resolveAccess(db, actor.userId, closed)).filter(isReadable);
	const readable = [...(await withFolders(db, rows.filter(isOpen))), ...shared].map(({ row }) => row);
	const byId = new Map(readable.map((row) => [row.id, row]));
	return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

/** Removes the nodes that the caller cannot read, such as excluded nodes in a shared folder. */
export async function filterReadable<T extends NodeLocation>(db: Db, caller: Caller, rows: readonly T[]) {
	const actor = requireActor(caller);
	if (rows.every((row) => canReadSpace(actor, row.owner_id))) return rows;
	const accesses = await resolveAccess(db, actor.userId, rows);
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
