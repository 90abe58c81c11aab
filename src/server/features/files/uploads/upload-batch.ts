import type { UploadConflict } from '#contract/files/uploads.ts';
import type { Actor, Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import { pathBelow } from '../../../platform/database/folder-paths.ts';
import type { Db } from '../../../platform/database/schema.ts';
import type { Deps } from '../../../platform/deps.ts';
import { insertBlobs, type NewBlob } from '../../../platform/storage/blobs.queries.ts';
import { recordAudits } from '../../audit/index.ts';
import { findFreeQuota, quotaError } from '../spaces/quota.ts';
import type { Space } from '../spaces/spaces.policy.ts';
import { addToManyFolderTotals, addToSpaceTotals } from '../spaces/spaces.queries.ts';
import { queueThumbnail } from '../thumbnails/thumbnails.service.ts';
import { isNameRefused } from '../tree/add-file.ts';
import { nameKeyOf } from '../tree/node-names.ts';
import { type TargetFolder, withFolders } from '../tree/nodes.ts';
import { findTakenNames, insertNodes, lockFolders } from '../tree/tree.queries.ts';
import { lockSpaceAndOwner, nameConflictError, newNodeRow } from '../tree/tree.service.ts';
import * as queries from './uploads.queries.ts';

/** A file whose bytes are in memory, and its destination. */
export interface WholeUpload {
	id: string;
	caller: Caller & { actor: Actor };
	space: Space;
	folder: TargetFolder;
	name: string;
	sizeBytes: number;
	modifiedMs: number | null;
	conflict: UploadConflict;
}

export interface StoredUpload extends WholeUpload {
	blob: NewBlob;
}

export interface BatchCheck<Upload> {
	accepted: Upload[];
	errors: Map<Upload, unknown>;
}

/**
 * Checks ids, names and quotas of a batch with few queries. Each upload is checked as if the accepted uploads before it
 * were already stored. Errors: UPLOAD_OFFSET when the upload exists, FILE_EXISTS, QUOTA_EXCEEDED, QUOTA_NEEDS_BOTH.
 * @returns `inConflict`: uploads whose name is taken, but whose conflict policy allows it
 */
export async function checkUploads<Upload extends WholeUpload>(
	db: Db,
	uploads: readonly Upload[],
): Promise<BatchCheck<Upload> & { inConflict: Upload[] }> {
	const accepted: Upload[] = [];
	const inConflict: Upload[] = [];
	const errors = new Map<Upload, unknown>();
	const uploadIds = uploads.map(({ id }) => id);
	const ids = new Set(await queries.findExistingUploadIds(db, uploadIds));
	for (const [ownerId, ofSpace] of Map.groupBy(uploads, ({ space }) => space.id)) {
		const quota = await findFreeQuota(db, ownerId, 'all');
		const names = await findKindsByName(db, ownerId, ofSpace);
		for (const upload of ofSpace) {
			const nameId = nameIdOf(upload);
			const existing = names.get(nameId);
			const isReplacing = existing !== undefined && upload.conflict === 'replace';
			if (ids.has(upload.id)) errors.set(upload, new AppError('UPLOAD_OFFSET'));
			else if (existing !== undefined && isNameRefused(existing, upload.conflict))
				errors.set(upload, nameConflictError('FILE_EXISTS', upload.name));
			else if (quota !== null && upload.sizeBytes > quota.freeBytes) errors.set(upload, quotaError(quota, isReplacing));
			else {
				ids.add(upload.id);
				names.set(nameId, existing ?? 'file');
				if (quota !== null) quota.freeBytes -= upload.sizeBytes;
				(existing === undefined ? accepted : inConflict).push(upload);
			}
		}
	}
	return { accepted, inConflict, errors };
}

const nameIdOf = ({ folder, name }: WholeUpload) => `${folder.path}/${nameKeyOf(name)}`;

async function findKindsByName(db: Db, ownerId: string, uploads: readonly WholeUpload[]) {
	const kinds = new Map<string, 'file' | 'folder'>();
	for (const [path, ofFolder] of Map.groupBy(uploads, ({ folder }) => folder.path)) {
		const keys = ofFolder.map(({ name }) => nameKeyOf(name));
		for (const { nameKey, kind } of await findTakenNames(db, ownerId, path, keys))
			kinds.set(`${path}/${nameKey}`, kind);
	}
	return kinds;
}

/**
 * Locks the spaces, their owners and the folders of a batch, like `lockTargetFolder`. All batches lock in the same
 * order, so that they cannot deadlock. Errors: NOT_FOUND (the owner), FOLDER_GONE.
 */
export async function lockTargets<Upload extends WholeUpload>(
	tx: Db,
	uploads: readonly Upload[],
): Promise<BatchCheck<Upload>> {
	const accepted: Upload[] = [];
	const errors = new Map<Upload, unknown>();
	const spaceIds = [...new Set(uploads.map(({ space }) => space.id))].sort();
	const owners = new Map<string, boolean>();
	for (const id of spaceIds) owners.set(id, await lockSpaceAndOwner(tx, id));
	const folderIds = [...new Set(uploads.flatMap(({ folder }) => folder.id ?? []))];
	const live = await withFolders(tx, await lockFolders(tx, folderIds));
	const paths = new Map(live.map(({ row }) => [row.id, pathBelow(row)]));
	for (const upload of uploads) {
		const { id, path } = upload.folder;
		if (owners.get(upload.space.id) !== true) errors.set(upload, new AppError('NOT_FOUND'));
		else if (id !== null && paths.get(id) !== path) errors.set(upload, new AppError('FOLDER_GONE'));
		else accepted.push(upload);
	}
	return { accepted, errors };
}

/** Inserts the rows of checked uploads whose names are free, in a transaction that has locked their folders. */
export async function insertFiles(deps: Deps, tx: Db, uploads: readonly StoredUpload[]): Promise<void> {
	const now = isoAt(deps.clock);
	const files = uploads.map((upload) => {
		const { space, folder, name, blob } = upload;
		const row = newNodeRow(deps, { ownerId: space.id, parent: folder, name, kind: 'file' });
		return { upload, node: { ...row, size_bytes: blob.sizeBytes, blob_id: blob.id } };
	});
	const blobs = uploads.map(({ blob }) => blob);
	await insertBlobs(tx, blobs, now);
	await insertNodes(
		tx,
		files.map(({ node }) => node),
	);
	await queries.insertUploads(
		tx,
		files.map(({ upload, node }) => finishedUploadRow(upload, node.id, now)),
	);
	for (const [ownerId, ofSpace] of Map.groupBy(files, ({ node }) => node.owner_id)) {
		const totals = new Map<string, { folders: number; files: number; sizeBytes: number }>();
		let sizeBytes = 0;
		for (const { node } of ofSpace) {
			const before = totals.get(node.path);
			sizeBytes += node.size_bytes;
			totals.set(node.path, {
				folders: 0,
				files: (before?.files ?? 0) + 1,
				sizeBytes: (before?.sizeBytes ?? 0) + node.size_bytes,
			});
		}
		await addToManyFolderTotals(tx, ownerId, totals);
		await addToSpaceTotals(tx, ownerId, ofSpace.length, sizeBytes);
	}
	for (const blob of blobs) await queueThumbnail(deps, tx, blob);
	await recordAudits(
		deps,
		tx,
		files.map(({ upload, node }) => ({
			author: upload.caller,
			action: 'file-uploaded',
			subject: ['node', node.id],
			detail: { name: node.name, size: node.size_bytes },
		})),
	);
}

/** Returns the row of a finished upload. If its answer is lost, a HEAD request of the client finds this row. */
export function finishedUploadRow(upload: StoredUpload, nodeId: string, now: string) {
	return {
		id: upload.id,
		user_id: upload.caller.actor.userId,
		owner_id: upload.space.id,
		parent_id: upload.folder.id,
		path: upload.folder.path,
		name: upload.name,
		storage_key: upload.blob.storageKey,
		size_bytes: upload.sizeBytes,
		modified_ms: upload.modifiedMs,
		created_at: now,
		conflict: upload.conflict,
		finished_at: now,
		node_id: nodeId,
		arrived_bytes: upload.sizeBytes,
	};
}
