import type { Actor, Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { createRegistration } from '../../../platform/registration.ts';
import * as files from '../../files/index.ts';
import {
	canReadSpace,
	canShareSpace,
	type FolderRef,
	findLiveRows,
	type NodeLocation,
	requireActor,
	withFolders,
} from '../../files/index.ts';
import { findShareRows, type ShareRow } from '../shares/shares.queries.ts';

/** Whether bytes, by their SHA-256 in hex, are for admins alone: those of the book's editions. */
export const protectedContent = createRegistration<(db: Db, sha256: string) => Promise<boolean>>('protected content');

/** How a node stands for one person. */
export interface EffectiveAccess<T> {
	row: T;
	/** The folders it stands in, from the root. */
	folders: FolderRef[];
	/** What decides: the entry on itself, else on the nearest folder above. */
	nearest: { entry: ShareRow; on: { id: string; name: string } } | null;
	/** Whether the folder it stands in is readable by a share: then it shows there, not by itself. */
	isParentReadable: boolean;
}

/** For each of these nodes the entry that decides for this person; what lies in a deleted folder is left out. */
export async function resolveAccess<T extends NodeLocation>(
	db: Db,
	recipientId: string,
	rows: readonly T[],
): Promise<Array<EffectiveAccess<T>>> {
	const nodes = await withFoldersBySpace(db, rows);
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

/** With each space's own folders: a realPath is unique in one space only. */
async function withFoldersBySpace<T extends NodeLocation>(db: Db, rows: readonly T[]) {
	const bySpace = Map.groupBy(rows, (row) => row.owner_id);
	const folders = new Map<T, FolderRef[]>();
	for (const [ownerId, rowsOfSpace] of bySpace)
		for (const located of await withFolders(db, ownerId, rowsOfSpace)) folders.set(located.row, located.folders);
	return rows.flatMap((row) => {
		const found = folders.get(row);
		return found === undefined ? [] : [{ row, folders: found }];
	});
}

/** The nearest entry decides. `chain`: from the root to the node itself. */
function findNearestShareRow(
	chain: ReadonlyArray<{ id: string; name: string }>,
	shareRows: ReadonlyMap<string, ShareRow>,
) {
	const on = chain.findLast(({ id }) => shareRows.has(id));
	const shareRow = on && shareRows.get(on.id);
	return on === undefined || shareRow === undefined ? null : { entry: shareRow, on: { id: on.id, name: on.name } };
}

/** Whether this standing lets the person read: a share that no exclusion below it takes back, outside the book's files. */
export function isReadable({ row, nearest }: EffectiveAccess<NodeLocation>): boolean {
	return nearest?.entry.kind === 'share' && canShareSpace(row.owner_id);
}

/** Of some nodes those that a person reads by shares, with the names of the folders that they may know. */
export async function findReadable(
	db: Db,
	recipientId: string,
	rows: readonly files.NodeRow[],
): Promise<Array<{ row: files.NodeRow; folders: string[] }>> {
	const accesses = (await resolveAccess(db, recipientId, rows)).filter(isReadable);
	return accesses.map(({ row, folders, nearest }) => {
		const firstReadable = folders.findIndex(({ id }) => id === nearest?.on.id);
		return { row, folders: firstReadable < 0 ? [] : folders.slice(firstReadable).map(({ name }) => name) };
	});
}

/** From the outermost folder that the person reads without a gap down to the node's own folder. */
export async function listReadableFolders(db: Db, recipientId: string, node: NodeLocation): Promise<FolderRef[]> {
	const [located] = await withFolders(db, node.owner_id, [node]);
	const folders = located?.folders ?? [];
	const accesses = await resolveAccess(
		db,
		recipientId,
		folders.map((folder) => ({ ...folder, owner_id: node.owner_id })),
	);
	const outermost = accesses.findLastIndex((standing) => !isReadable(standing));
	return folders.slice(outermost + 1);
}

/** A node that the actor may read: in a space of theirs, or by a share. @throws AppError NOT_FOUND, alike for absent and forbidden */
export async function requireNode(db: Db, caller: Caller, id: string): Promise<files.NodeRow> {
	const [node] = await requireNodes(db, caller, [id]);
	if (node === undefined) throw new AppError('NOT_FOUND');
	return node;
}

/** All of some nodes, in their order. @throws AppError NOT_FOUND when one is absent or forbidden */
export async function requireNodes(db: Db, caller: Caller, ids: readonly string[]): Promise<files.NodeRow[]> {
	const found = await findReadableNodes(db, requireActor(caller), ids);
	if (found.length < new Set(ids).size) throw new AppError('NOT_FOUND');
	return found;
}

/** Those of some nodes that the actor may read, in their order, each once. */
async function findReadableNodes(
	db: Db,
	actor: Pick<Actor, 'userId' | 'role'>,
	ids: readonly string[],
): Promise<files.NodeRow[]> {
	const rows: files.NodeRow[] = [];
	for (const batch of splitIntoChunks([...new Set(ids)], 1000)) rows.push(...(await files.findNodes(db, batch)));
	const isOpen = (row: files.NodeRow) => canReadSpace(actor, row.owner_id);
	const closed = rows.filter((row) => !isOpen(row));
	const shared = closed.length === 0 ? [] : (await resolveAccess(db, actor.userId, closed)).filter(isReadable);
	const readable = [...(await findLiveRows(db, rows.filter(isOpen))), ...shared.map(({ row }) => row)];
	const byId = new Map(readable.map((row) => [row.id, row]));
	return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

/** Of nodes in a folder that the caller reads those that are not left out for them. */
export async function filterReadable<T extends NodeLocation>(
	db: Db,
	caller: Caller,
	rows: readonly T[],
): Promise<readonly T[]> {
	const actor = requireActor(caller);
	if (rows.every((row) => canReadSpace(actor, row.owner_id))) return rows;
	const accesses = await resolveAccess(db, actor.userId, rows);
	return accesses.filter(isReadable).map(({ row }) => row);
}

/**
 * The bytes of a file, for somebody who may read the file itself. The one place where bytes of files are let out: those
 * of an edition go to admins alone, wherever a copy of it lies; everybody else reads their own marked copy.
 * @throws AppError NOT_FOUND
 */
export async function requireBlob(db: Db, caller: Caller, blobId: string | null) {
	const blob = blobId === null ? undefined : await files.findBlob(db, blobId);
	if (blob === undefined) throw new AppError('NOT_FOUND');
	if (requireActor(caller).role !== 'admin' && (await protectedContent()(db, blob.sha256)))
		throw new AppError('NOT_FOUND');
	return blob;
}

/** Whether the caller may read a file's bytes at this moment: it may have become an edition while they are sent. */
export async function canStillReadFile(db: Db, caller: Caller, nodeId: string): Promise<boolean> {
	try {
		await requireBlob(db, caller, (await requireNode(db, caller, nodeId)).blob_id);
		return true;
	} catch (error) {
		if (error instanceof AppError && error.code === 'NOT_FOUND') return false;
		throw error;
	}
}

/** Whether the caller may read all of these at this moment. */
export async function canStillReadAll(db: Db, caller: Caller, ids: readonly string[]): Promise<boolean> {
	return (await findReadableNodes(db, requireActor(caller), ids)).length === new Set(ids).size;
}

function splitIntoChunks<T>(list: T[], size: number): T[][] {
	return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}
