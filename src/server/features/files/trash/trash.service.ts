import type { InputOf } from '#contract/core/endpoint.ts';
import type { files, Node, TrashedNode } from '#contract/files/files.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import { timeAndId, toPage, unpackCursor } from '../../../platform/cursor.ts';
import { pathBelow, realPathsOf } from '../../../platform/database/folder-paths.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { yieldToEventLoop } from '../../../platform/event-loop.ts';
import { recordAudit } from '../../audit/index.ts';
import { showNode } from '../copy-move/move-nodes.ts';
import { isRareSearch, searchKeyOf } from '../listing/listing.service.ts';
import { getFilesSettings } from '../spaces/quota.ts';
import { requireSpace } from '../spaces/spaces.policy.ts';
import { lockSpace } from '../spaces/spaces.queries.ts';
import { getNode } from '../tree/nodes.ts';
import * as queries from '../tree/tree.queries.ts';
import { publishNodesChanged } from '../tree/tree.service.ts';
import { enqueuePurge } from './trash.jobs.ts';
import * as trash from './trash.queries.ts';

const daySeconds = 24 * 3600;
const batchSize = 500;

export async function listTrash(deps: Deps, caller: Caller, input: InputOf<typeof files.listTrash>) {
	const space = await requireSpace(deps, caller, input.owner);
	const after = unpackCursor(input.cursor, timeAndId);
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
	const { page, nextCursor } = toPage(rows, input.limit, (last) => [String(last.deleted_at), last.id]);
	return {
		items: await presentTrash(deps.db, space.id, page, trashDays),
		nextCursor,
		total: await trash.countTrash(deps.db, space.id, search),
		space,
	};
}

type TrashRow = Awaited<ReturnType<typeof trash.listTrash>>[number];

async function presentTrash(db: Db, ownerId: string, rows: TrashRow[], trashDays: number): Promise<TrashedNode[]> {
	const realPaths = [...new Set(rows.flatMap(({ path }) => realPathsOf(path)))];
	const folders = await queries.findFoldersIncludingTrashed(db, ownerId, realPaths);
	const names = new Map(folders.map(({ real_path, name }) => [real_path, name]));
	const items: TrashedNode[] = [];
	for (const row of rows) {
		const deletedAt = String(row.deleted_at);
		items.push({
			id: row.id,
			kind: row.kind,
			name: row.name,
			folders: realPathsOf(row.path).map((realPath) => names.get(realPath) ?? '…'),
			size: row.kind === 'folder' ? await queries.sumBytesBelow(db, ownerId, pathBelow(row)) : row.size_bytes,
			deletedAt,
			expiresAt: new Date(Date.parse(deletedAt) + trashDays * daySeconds * 1000).toISOString(),
		});
	}
	return items;
}

/** Restores an item to its folder, or to the root if the folder is deleted. @throws AppError NOT_FOUND */
export async function restoreNode(deps: Deps, caller: Caller, id: string): Promise<Node> {
	const { owner_id: ownerId } = await getTrashedNode(deps.db, id);
	await inTransaction(deps.db, async (tx) => {
		if (!(await lockSpace(tx, ownerId))) throw new AppError('NOT_FOUND');
		const node = await getTrashedNode(tx, id);
		const name = await showNode(tx, node);
		await recordAudit(deps, tx, caller, `${node.kind}-restored`, ['node', node.id], { name });
	});
	publishNodesChanged(deps, ownerId);
	return getNode(deps.db, id);
}

/** Permanently deletes one item in the trash; a job removes its rows and bytes. @throws AppError NOT_FOUND */
export async function purgeNode(deps: Deps, caller: Caller, id: string): Promise<void> {
	const { owner_id: ownerId } = await getTrashedNode(deps.db, id);
	await inTransaction(deps.db, async (tx) => {
		if (!(await lockSpace(tx, ownerId))) throw new AppError('NOT_FOUND');
		const node = await getTrashedNode(tx, id);
		await queries.updateNode(tx, id, { state: 'leaving' });
		await enqueuePurge(deps, tx, ownerId, [id]);
		await recordAudit(deps, tx, caller, `${node.kind}-purged`, ['node', id], { name: node.name });
	});
	deps.wakeWorkers();
	publishNodesChanged(deps, ownerId);
}

/** Permanently deletes a space's trash. @returns the number of items. @throws AppError NOT_FOUND */
export async function emptyTrash(deps: Deps, caller: Caller, owner: string): Promise<number> {
	const space = await requireSpace(deps, caller, owner);
	const until = isoAt(deps.clock);
	let purgedCount = 0;
	for (;;) {
		const markedCount = await inTransaction(deps.db, async (tx) => {
			await lockSpace(tx, space.id);
			// The audit entry is part of the first batch. If the process is killed later, the other items stay in the trash.
			const count = purgedCount === 0 ? await trash.countTrash(tx, space.id) : 0;
			if (count > 0)
				await recordAudit(deps, tx, caller, 'trash-emptied', ['node', space.id], { owner: space.email, count });
			return purgeNextBatch(deps, tx, space.id, until);
		});
		purgedCount += markedCount;
		if (markedCount === 0) break;
		await yieldToEventLoop();
	}
	deps.wakeWorkers();
	publishNodesChanged(deps, space.id);
	return purgedCount;
}

/** Runs hourly: permanently deletes items that have been in the trash for longer than the settings allow. */
export async function purgeExpired(deps: Deps): Promise<void> {
	const { trashDays } = await getFilesSettings(deps.db);
	const until = isoAt(deps.clock, -trashDays * daySeconds);
	for (;;) {
		const ownerIds = await trash.listOwnersOfTrash(deps.db, until, batchSize);
		if (ownerIds.length === 0) return;
		for (const ownerId of ownerIds) {
			await yieldToEventLoop();
			await inTransaction(deps.db, (tx) => purgeNextBatch(deps, tx, ownerId, until));
		}
		deps.wakeWorkers();
	}
}

/** Marks items that were deleted at `until` or earlier for purge. @returns their number */
async function purgeNextBatch(deps: Deps, tx: Db, ownerId: string, until: string): Promise<number> {
	await lockSpace(tx, ownerId);
	const ids = await trash.markForPurge(tx, ownerId, until, batchSize);
	if (ids.length > 0) await enqueuePurge(deps, tx, ownerId, ids);
	return ids.length;
}

async function getTrashedNode(db: Db, id: string): Promise<queries.NodeRow> {
	const node = await queries.findNodeIncludingTrashed(db, id);
	if (node === undefined || node.deleted_at === null || node.state !== null) throw new AppError('NOT_FOUND');
	return node;
}
