import { pathBelow } from '../../../platform/database/folder-paths.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { transactionBudgetMs } from '../../../platform/event-loop.ts';
import { lockBlobs } from '../../../platform/storage/blobs.queries.ts';
import { requireQuota } from '../spaces/quota.ts';
import { addToManyFolderTotals, addToSpaceTotals, type TotalsChange } from '../spaces/spaces.queries.ts';
import { requireFolderLevels } from '../tree/nodes.ts';
import * as queries from '../tree/tree.queries.ts';
import { newNodeRow, newRealPath, totalsOfNode } from '../tree/tree.service.ts';
import type { CopyFrame, CopyJobPayload } from './copy-job-payload.ts';

/** Maximum number of rows written in one transaction, which limits how long other transactions wait. */
const batchSize = 100;

type CopyRow = ReturnType<typeof newNodeRow>;
type Child = Awaited<ReturnType<typeof queries.listChildrenByName>>[number];

/** A folder that is being copied, with the data read from its source. */
interface OpenFolder extends CopyFrame {
	path: string;
	/** Owner and children's path of the source folder; undefined until it was looked up, null if it no longer exists. */
	source: { ownerId: string; path: string } | null | undefined;
	children: Child[];
	isFullyRead: boolean;
}

/**
 * Copies the next rows in the caller's transaction, depth first. Skips a file whose bytes were deleted meanwhile.
 * @returns the updated payload
 * @throws AppError QUOTA_EXCEEDED, TOO_DEEP
 */
export async function copyBatch(deps: Deps, tx: Db, work: CopyJobPayload, root: queries.NodeRow) {
	const stack = openStack(work.stack, pathBelow(root));
	const rows: CopyRow[] = [];
	let nextRealPath = Number(await newRealPath(deps, tx, work.ownerId));
	const stopAt = performance.now() + transactionBudgetMs(deps);
	do {
		const folder = stack.at(-1);
		if (folder === undefined) break;
		const child = await nextChild(tx, folder);
		if (child === undefined) {
			stack.pop();
			continue;
		}
		folder.afterKey = child.name_key;
		const parent = { id: folder.copyId, path: folder.path };
		const copy = newNodeRow(deps, { ownerId: work.ownerId, parent, name: child.name, kind: child.kind });
		rows.push(Object.assign(copy, { size_bytes: child.size_bytes, blob_id: child.blob_id }));
		if (child.kind === 'file') continue;
		copy.real_path = String(nextRealPath);
		nextRealPath += 1;
		const path = pathBelow(copy);
		requireFolderLevels(path, 0);
		const source = { ownerId: child.owner_id, path: pathBelow(child) };
		const frame = { sourceId: child.id, copyId: copy.id, realPath: copy.real_path, afterKey: '' };
		stack.push({ ...frame, path, source, children: [], isFullyRead: false });
	} while (rows.length < batchSize && performance.now() < stopAt);
	const bytes = await insertCopies(tx, work.ownerId, rows);
	const frames = stack.map(({ sourceId, copyId, realPath, afterKey }) => ({ sourceId, copyId, realPath, afterKey }));
	return { ...work, copiedBytes: work.copiedBytes + bytes, stack: frames };
}

function openStack(frames: readonly CopyFrame[], rootPath: string): OpenFolder[] {
	let path = rootPath;
	return frames.map((frame, level) => {
		if (level > 0) path = `${path}/${frame.realPath}`;
		return { ...frame, path, source: undefined, children: [], isFullyRead: false };
	});
}

/** Finds the next child of the folder, which may have been moved or deleted since the last step. */
async function nextChild(tx: Db, folder: OpenFolder): Promise<Child | undefined> {
	if (folder.source === undefined) {
		const row = await queries.findNodeIncludingTrashed(tx, folder.sourceId);
		folder.source = row === undefined ? null : { ownerId: row.owner_id, path: pathBelow(row) };
	}
	if (folder.children.length === 0 && !folder.isFullyRead && folder.source !== null) {
		const { ownerId, path } = folder.source;
		folder.children = await queries.listChildrenByName(tx, ownerId, path, folder.afterKey, batchSize);
		folder.isFullyRead = folder.children.length < batchSize;
	}
	return folder.children.shift();
}

/** @returns the total size in bytes of the copied files */
async function insertCopies(tx: Db, ownerId: string, copies: CopyRow[]): Promise<number> {
	const blobIds = [...new Set(copies.flatMap(({ blob_id }) => blob_id ?? []))];
	const blobs = await lockBlobs(tx, blobIds);
	const rows = copies.filter(({ blob_id }) => blob_id === null || blobs.has(blob_id));
	const files = rows.filter(({ kind }) => kind === 'file');
	const bytes = files.reduce((sum, file) => sum + file.size_bytes, 0);
	// Checked again, because the quota or the source folder may have changed since the copy began.
	if (bytes > 0) await requireQuota(tx, ownerId, bytes, { pending: 'uploads' });
	await queries.insertNodes(tx, rows);
	const changes = new Map<string, TotalsChange>();
	for (const row of rows) {
		const before = changes.get(row.path) ?? { folders: 0, files: 0, sizeBytes: 0 };
		const nodeTotals = totalsOfNode(row);
		changes.set(row.path, {
			folders: before.folders + nodeTotals.folders,
			files: before.files + nodeTotals.files,
			sizeBytes: before.sizeBytes + nodeTotals.sizeBytes,
		});
	}
	await addToManyFolderTotals(tx, ownerId, changes);
	if (files.length > 0) await addToSpaceTotals(tx, ownerId, files.length, bytes);
	return bytes;
}
