import * as z from 'zod';
import type { Node, TrashedNode } from '#contract/files/files.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import { packCursor, unpackCursor } from '../../platform/cursor.ts';
import type { Deps } from '../../platform/deps.ts';
import { letOthers } from '../../platform/turns.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { getFilesSettings } from './files.limits.ts';
import { isRareSearch, searchKeyOf } from './files.listing.ts';
import { place } from './files.moving.ts';
import { getNode, pathBelow, placeOrRoot } from './files.nodes.ts';
import { beginPurge } from './files.purge.ts';
import * as queries from './files.queries.ts';
import { doMany, type ManyDone, publishNodes, shareOf } from './files.service.ts';
import { requireSpace } from './files.spaces.ts';
import { freeNameFor, namesOf } from './names.ts';
import { addToFolder, lockSpace } from './totals.queries.ts';
import * as trash from './trash.queries.ts';

const daySeconds = 24 * 3600;
/** Nodes that one statement sends on their way. */
const batchSize = 500;
const cursorPlace = z.tuple([z.string(), z.string()]);

/** One page of a space's trash. @throws AppError NOT_FOUND */
export async function listTrash(
	deps: Deps,
	caller: Caller,
	input: { owner: string; search?: string | undefined; cursor?: string | undefined; limit: number },
) {
	const space = await requireSpace(deps, caller, input.owner);
	const after = unpackCursor(input.cursor, cursorPlace);
	const { trashDays } = await getFilesSettings(deps.db);
	const searchKey = searchKeyOf(input);
	const search = { searchKey, isRare: await isRareSearch(deps.db, searchKey) };
	const rows = await trash.listTrash(
		deps.db,
		space.id,
		search,
		after && { deletedAt: after[0], id: after[1] },
		input.limit + 1,
	);
	const page = rows.slice(0, input.limit);
	const last = page.at(-1);
	return {
		items: await presentTrash(deps.db, space.id, page, trashDays),
		nextCursor: rows.length > page.length && last ? packCursor([String(last.deleted_at), last.id]) : null,
		total: await trash.countTrash(deps.db, space.id, search),
		space,
	};
}

type TrashRow = Awaited<ReturnType<typeof trash.listTrash>>[number];

async function presentTrash(db: Db, ownerId: string, rows: TrashRow[], trashDays: number): Promise<TrashedNode[]> {
	const realPaths = [...new Set(rows.flatMap(({ path }) => (path === '' ? [] : path.split('/'))))];
	const names = new Map(
		(await trash.findFolderNames(db, ownerId, realPaths)).map(({ realPath, name }) => [realPath, name]),
	);
	const items: TrashedNode[] = [];
	for (const row of rows) {
		const deletedAt = String(row.deleted_at);
		const below = row.kind === 'folder' ? await queries.sumBelow(db, ownerId, pathBelow(row)) : undefined;
		items.push({
			id: row.id,
			kind: row.kind,
			name: row.name,
			folders: row.path === '' ? [] : row.path.split('/').map((realPath) => names.get(realPath) ?? '…'),
			size: below?.sizeBytes ?? row.size_bytes,
			deletedAt,
			expiresAt: new Date(Date.parse(deletedAt) + trashDays * daySeconds * 1000).toISOString(),
		});
	}
	return items;
}

/**
 * Brings something back where it was; to the root when that folder is gone, under a name with a number when its own is taken.
 * @throws AppError NOT_FOUND
 */
export async function restoreNode(deps: Deps, caller: Caller, id: string): Promise<Node> {
	const { owner_id: ownerId } = await requireTrashed(deps.db, id);
	await inTransaction(deps.db, async (tx) => {
		await lockSpace(tx, ownerId);
		const node = await requireTrashed(tx, id);
		const target = await placeOrRoot(tx, { id: node.parent_id, path: node.path });
		if (target.path !== node.path) await place(tx, node, target);
		const name = await freeNameFor(node.name, node.kind, (key) =>
			queries.findNodeByNameKey(tx, ownerId, target.path, key),
		);
		await queries.renameNode(tx, node.id, namesOf(name, node.kind));
		await queries.setDeleted(tx, node.id, null);
		await addToFolder(tx, ownerId, target.path, shareOf(node));
		await recordAudit(deps, tx, caller, {
			action: `${node.kind}-restored`,
			subjectKind: 'node',
			subjectId: node.id,
			detail: { name },
		});
	});
	publishNodes(deps, ownerId);
	return getNode(deps.db, id);
}

/** Sends one thing out of the trash for good; a job removes rows and bytes. @throws AppError NOT_FOUND */
export async function purgeNode(deps: Deps, caller: Caller, id: string): Promise<void> {
	const { owner_id: ownerId } = await requireTrashed(deps.db, id);
	await inTransaction(deps.db, async (tx) => {
		await lockSpace(tx, ownerId);
		const node = await requireTrashed(tx, id);
		await queries.setDeleted(tx, id, node.deleted_at, 'leaving');
		await beginPurge(deps, tx, ownerId, [id]);
		await recordAudit(deps, tx, caller, {
			action: `${node.kind}-purged`,
			subjectKind: 'node',
			subjectId: id,
			detail: { name: node.name },
		});
	});
	deps.wakeWorkers();
	publishNodes(deps, ownerId);
}

/** Brings many back. */
export function restoreNodes(deps: Deps, caller: Caller, ids: string[]): Promise<ManyDone> {
	return doMany(deps, caller, ids, async (id) => void (await restoreNode(deps, caller, id)));
}

/** Sends many out of the trash for good. */
export function purgeNodes(deps: Deps, caller: Caller, ids: string[]): Promise<ManyDone> {
	return doMany(deps, caller, ids, (id) => purgeNode(deps, caller, id));
}

/** Sends a space's whole trash away for good, as it is now. @returns how many things. @throws AppError NOT_FOUND */
export async function emptyTrash(deps: Deps, caller: Caller, owner: string): Promise<number> {
	const space = await requireSpace(deps, caller, owner);
	const until = isoAt(deps.clock);
	let sent = 0;
	for (;;) {
		const more = await inTransaction(deps.db, async (tx) => {
			await lockSpace(tx, space.id);
			// Told of with the first: a kill in the middle leaves the rest in the trash.
			const count = sent === 0 ? await trash.countTrash(tx, space.id) : 0;
			const ids = await trash.markLeaving(tx, space.id, until, batchSize);
			if (ids.length > 0) await beginPurge(deps, tx, space.id, ids);
			if (count > 0) {
				await recordAudit(deps, tx, caller, {
					action: 'trash-emptied',
					subjectKind: 'node',
					subjectId: space.id,
					detail: { owner: space.email, count },
				});
			}
			return ids.length;
		});
		sent += more;
		if (more === 0) break;
		await letOthers();
	}
	deps.wakeWorkers();
	publishNodes(deps, space.id);
	return sent;
}

/** Hourly: what has lain in the trash for longer than the settings say goes for good. */
export async function purgeExpired(deps: Deps): Promise<void> {
	const { trashDays } = await getFilesSettings(deps.db);
	const before = isoAt(deps.clock, -trashDays * daySeconds);
	for (;;) {
		const expired = await trash.findExpired(deps.db, before, batchSize);
		if (expired.length === 0) return;
		for (const [ownerId, own] of Map.groupBy(expired, (node) => node.ownerId)) {
			await letOthers();
			await inTransaction(deps.db, async (tx) => {
				await lockSpace(tx, ownerId);
				const ids = own.map((node) => node.id);
				const leaving = await trash.markTheseLeaving(tx, ids, before);
				if (leaving.length > 0) await beginPurge(deps, tx, ownerId, leaving);
			});
		}
		deps.wakeWorkers();
	}
}

async function requireTrashed(db: Db, id: string): Promise<queries.NodeRow> {
	const node = await queries.findAnyNode(db, id);
	if (node === undefined || node.deleted_at === null || node.state !== null) throw new AppError('NOT_FOUND');
	return node;
}
