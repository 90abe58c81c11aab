import type { Db } from '../../db/schema.ts';
import type { Actor, Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isOfEdition } from '../settings/editions.service.ts';
import { type FolderRef, findLiveRows, withFolders } from './files.nodes.ts';
import { canReadSpace, canShareSpace } from './files.policy.ts';
import * as queries from './files.queries.ts';
import { requireActor } from './files.spaces.ts';
import { type EntryRow, findEntries } from './grants.queries.ts';

/** How a node stands for one person. */
export interface Standing<T> {
	row: T;
	/** The folders it stands in, from the root. */
	folders: FolderRef[];
	/** What decides: the entry on itself, else on the nearest folder above. */
	nearest: { entry: EntryRow; on: { id: string; name: string } } | null;
	/** Whether the folder it stands in is readable by a share: then it shows there, not by itself. */
	isParentReadable: boolean;
}

type Placed = { id: string; name: string; owner_id: string; path: string };

/** For each of these nodes the entry that decides for this person; what lies in a deleted folder is left out. */
export async function findStandings<T extends Placed>(
	db: Db,
	recipientId: string,
	rows: readonly T[],
): Promise<Array<Standing<T>>> {
	const placed = await inTheirSpaces(db, rows);
	const ids = new Set(placed.flatMap(({ row, folders }) => [row.id, ...folders.map(({ id }) => id)]));
	const entries = new Map<string, EntryRow>();
	for (const some of chunksOf([...ids], 1000))
		for (const entry of await findEntries(db, recipientId, some)) entries.set(entry.nodeId, entry);
	return placed.map(({ row, folders }) => ({
		row,
		folders,
		nearest: nearestOf([...folders, row], entries),
		isParentReadable: nearestOf(folders, entries)?.entry.kind === 'share',
	}));
}

/** With each space's own folders: a realPath is unique in one space only. */
async function inTheirSpaces<T extends Placed>(db: Db, rows: readonly T[]) {
	const bySpace = Map.groupBy(rows, (row) => row.owner_id);
	const folders = new Map<T, FolderRef[]>();
	for (const [ownerId, own] of bySpace)
		for (const placed of await withFolders(db, ownerId, own)) folders.set(placed.row, placed.folders);
	return rows.flatMap((row) => {
		const found = folders.get(row);
		return found === undefined ? [] : [{ row, folders: found }];
	});
}

/** The nearest entry decides. `chain`: from the root to the node itself. */
function nearestOf(chain: ReadonlyArray<{ id: string; name: string }>, entries: ReadonlyMap<string, EntryRow>) {
	const on = chain.findLast(({ id }) => entries.has(id));
	const entry = on && entries.get(on.id);
	return on === undefined || entry === undefined ? null : { entry, on: { id: on.id, name: on.name } };
}

/** Whether this standing lets the person read: a share that no exclusion below it takes back, outside the book's files. */
export function isReadable({ row, nearest }: Standing<Placed>): boolean {
	return nearest?.entry.kind === 'share' && canShareSpace(row.owner_id);
}

/** From the outermost folder that the person reads without a gap down to the node's own folder. */
export async function readableFolders(db: Db, recipientId: string, node: Placed): Promise<FolderRef[]> {
	const [placed] = await withFolders(db, node.owner_id, [node]);
	const folders = placed?.folders ?? [];
	const standings = await findStandings(
		db,
		recipientId,
		folders.map((folder) => ({ ...folder, owner_id: node.owner_id })),
	);
	const outermost = standings.findLastIndex((standing) => !isReadable(standing));
	return folders.slice(outermost + 1);
}

/** A node that the actor may read: in a space of theirs, or by a share. @throws AppError NOT_FOUND, alike for absent and forbidden */
export async function requireNode(db: Db, caller: Caller, id: string): Promise<queries.NodeRow> {
	const [node] = await requireNodes(db, caller, [id]);
	if (node === undefined) throw new AppError('NOT_FOUND');
	return node;
}

/** All of some nodes, in their order. @throws AppError NOT_FOUND when one is absent or forbidden */
export async function requireNodes(db: Db, caller: Caller, ids: readonly string[]): Promise<queries.NodeRow[]> {
	const found = await findReadableNodes(db, requireActor(caller), ids);
	if (found.length < new Set(ids).size) throw new AppError('NOT_FOUND');
	return found;
}

/** Those of some nodes that the actor may read, in their order, each once. */
async function findReadableNodes(
	db: Db,
	actor: Pick<Actor, 'userId' | 'role'>,
	ids: readonly string[],
): Promise<queries.NodeRow[]> {
	const rows: queries.NodeRow[] = [];
	for (const some of chunksOf([...new Set(ids)], 1000)) rows.push(...(await queries.findNodes(db, some)));
	const isOpen = (row: queries.NodeRow) => canReadSpace(actor, row.owner_id);
	const closed = rows.filter((row) => !isOpen(row));
	const shared = closed.length === 0 ? [] : (await findStandings(db, actor.userId, closed)).filter(isReadable);
	const readable = [...(await findLiveRows(db, rows.filter(isOpen))), ...shared.map(({ row }) => row)];
	const byId = new Map(readable.map((row) => [row.id, row]));
	return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
}

/** Of nodes in a folder that the caller reads those that are not left out for them. */
export async function keepReadable<T extends Placed>(
	db: Db,
	caller: Caller,
	rows: readonly T[],
): Promise<readonly T[]> {
	const actor = requireActor(caller);
	if (rows.every((row) => canReadSpace(actor, row.owner_id))) return rows;
	const standings = await findStandings(db, actor.userId, rows);
	return standings.filter(isReadable).map(({ row }) => row);
}

/**
 * The bytes of a file, for somebody who may read the file itself. The one place where bytes of files are let out: those
 * of an edition go to admins alone, wherever a copy of it lies; everybody else reads their own marked copy.
 * @throws AppError NOT_FOUND
 */
export async function requireBytes(db: Db, caller: Caller, blobId: string | null) {
	const blob = blobId === null ? undefined : await queries.findBlob(db, blobId);
	if (blob === undefined) throw new AppError('NOT_FOUND');
	if (requireActor(caller).role !== 'admin' && (await isOfEdition(db, blob.sha256))) throw new AppError('NOT_FOUND');
	return blob;
}

/** Whether the caller may read a file's bytes at this moment: it may have become an edition while they are sent. */
export async function mayStillReadBytes(db: Db, caller: Caller, nodeId: string): Promise<boolean> {
	try {
		await requireBytes(db, caller, (await requireNode(db, caller, nodeId)).blob_id);
		return true;
	} catch (error) {
		if (error instanceof AppError && error.code === 'NOT_FOUND') return false;
		throw error;
	}
}

/** Whether the caller may read all of these at this moment. */
export async function mayStillRead(db: Db, caller: Caller, ids: readonly string[]): Promise<boolean> {
	return (await findReadableNodes(db, requireActor(caller), ids)).length === new Set(ids).size;
}

function chunksOf<T>(list: T[], size: number): T[][] {
	return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}
