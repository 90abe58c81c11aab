import type { UploadConflict } from '#contract/files/uploads.ts';
import type { Actor, Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import { awaitAll } from '../../../platform/database/await-all.ts';
import { pathBelow } from '../../../platform/database/folder-paths.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inOneRoundTrip } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { insertBlobs, type NewBlob } from '../../../platform/storage/blobs.queries.ts';
import { lockUsers } from '../../accounts/index.ts';
import { recordAudits } from '../../audit/index.ts';
import { findFreeQuota, quotaError } from '../spaces/quota.ts';
import type { Space } from '../spaces/spaces.policy.ts';
import { addToManyFolderTotals, addToSpaceTotals, lockSpace } from '../spaces/spaces.queries.ts';
import { queueThumbnail } from '../thumbnails/thumbnails.service.ts';
import { isNameRefused } from '../tree/add-file.ts';
import { nameKeyOf } from '../tree/node-names.ts';
import { type TargetFolder, withFolders } from '../tree/nodes.ts';
import { findTakenNames, insertNodes, lockFolders } from '../tree/tree.queries.ts';
import { nameConflictError, newNodeRow } from '../tree/tree.service.ts';
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

type Quotas = Map<string, Awaited<ReturnType<typeof findFreeQuota>>>;

/** What {@link checkUploads} needs from the database. */
interface BatchFacts {
	existingIds: string[];
	/** The kinds of the nodes whose names are taken, by {@link nameIdOf}. */
	kinds: Map<string, 'file' | 'folder'>;
	quotas: Quotas;
}

const nameIdOf = ({ space, folder, name }: WholeUpload) => `${space.id}/${folder.path}/${nameKeyOf(name)}`;

/** Reads what {@link checkUploads} needs, in one round trip. */
export async function readFacts(db: Db, uploads: readonly WholeUpload[]): Promise<BatchFacts> {
	const bySpace = [...Map.groupBy(uploads, ({ space }) => space.id)];
	const uploadIds = uploads.map(({ id }) => id);
	const [existingIds, kinds, quotas] = await inOneRoundTrip(db, (db) => [
		queries.findExistingUploadIds(db, uploadIds),
		awaitAll(bySpace.map(([ownerId, ofSpace]) => findKindsByName(db, ownerId, ofSpace))),
		readQuotas(db, uploads),
	]);
	return { existingIds, kinds: new Map(kinds.flat()), quotas };
}

async function findKindsByName(db: Db, ownerId: string, uploads: readonly WholeUpload[]) {
	const names = uploads.map(({ folder, name }) => ({ path: folder.path, nameKey: nameKeyOf(name) }));
	const taken = await findTakenNames(db, ownerId, names);
	return taken.map(({ path, nameKey, kind }) => [`${ownerId}/${path}/${nameKey}`, kind] as const);
}

async function readQuotas(db: Db, uploads: readonly WholeUpload[]): Promise<Quotas> {
	const ids = [...new Set(uploads.map(({ space }) => space.id))];
	return new Map(await awaitAll(ids.map(async (id) => [id, await findFreeQuota(db, id, 'all')] as const)));
}

/**
 * Checks ids, names and quotas of a batch. Each upload is checked as if the accepted uploads before it were already
 * stored. Errors: UPLOAD_OFFSET when the upload exists, FILE_EXISTS, QUOTA_EXCEEDED, QUOTA_NEEDS_BOTH.
 * @returns `inConflict`: uploads whose name is taken, but whose conflict policy allows it
 */
export function checkUploads<Upload extends WholeUpload>(
	uploads: readonly Upload[],
	{ existingIds, kinds, quotas }: BatchFacts,
): BatchCheck<Upload> & { inConflict: Upload[] } {
	const accepted: Upload[] = [];
	const inConflict: Upload[] = [];
	const errors = new Map<Upload, unknown>();
	const ids = new Set(existingIds);
	for (const upload of uploads) {
		const nameId = nameIdOf(upload);
		const existing = kinds.get(nameId);
		const quota = quotas.get(upload.space.id) ?? null;
		const isReplacing = existing !== undefined && upload.conflict === 'replace';
		if (ids.has(upload.id)) errors.set(upload, new AppError('UPLOAD_OFFSET'));
		else if (existing !== undefined && isNameRefused(existing, upload.conflict))
			errors.set(upload, nameConflictError('FILE_EXISTS', upload.name));
		else if (quota !== null && upload.sizeBytes > quota.freeBytes) errors.set(upload, quotaError(quota, isReplacing));
		else {
			ids.add(upload.id);
			kinds.set(nameId, existing ?? 'file');
			if (quota !== null) quota.freeBytes -= upload.sizeBytes;
			(existing === undefined ? accepted : inConflict).push(upload);
		}
	}
	return { accepted, inConflict, errors };
}

/**
 * Locks the targets of uploads in the caller's transaction, and checks their quotas again. Ids and names are not read
 * again: if another transaction has used one meanwhile, the insertion of the batch fails.
 */
export async function lockAndCheck<Upload extends WholeUpload>(
	tx: Db,
	uploads: readonly Upload[],
): Promise<BatchCheck<Upload>> {
	const [locked, quotas] = await inOneRoundTrip(tx, (tx) => [lockTargets(tx, uploads), readQuotas(tx, uploads)]);
	const checked = checkUploads(locked.accepted, { existingIds: [], kinds: new Map(), quotas });
	return { accepted: checked.accepted, errors: new Map([...locked.errors, ...checked.errors]) };
}

/**
 * Locks the owners, the spaces and the folders of a batch, like `lockTargetFolder`. All batches lock in the same
 * order, so that two batches cannot deadlock. Errors: NOT_FOUND (the owner), FOLDER_GONE.
 */
async function lockTargets<Upload extends WholeUpload>(
	tx: Db,
	uploads: readonly Upload[],
): Promise<BatchCheck<Upload>> {
	const accepted: Upload[] = [];
	const errors = new Map<Upload, unknown>();
	const spaceIds = [...new Set(uploads.map(({ space }) => space.id))].sort();
	const folderIds = [...new Set(uploads.flatMap(({ folder }) => folder.id ?? []))];
	const [, owned, folders] = await awaitAll([
		// All owners before the first space; one owner is locked with the space.
		spaceIds.length > 1 && lockUsers(tx, spaceIds),
		awaitAll(spaceIds.map((id) => lockSpace(tx, id))),
		lockFolders(tx, folderIds),
	]);
	const owners = new Map(spaceIds.map((id, index) => [id, owned[index]]));
	const live = await withFolders(tx, folders);
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
	const entries = files.map(({ upload, node }) => ({
		author: upload.caller,
		action: 'file-uploaded' as const,
		subject: ['node', node.id] as const,
		detail: { name: node.name, size: node.size_bytes },
	}));
	const nodes = files.map(({ node }) => node);
	const uploadRows = files.map(({ upload, node }) => finishedUploadRow(upload, node.id, now));
	await inOneRoundTrip(tx, (tx) => [
		insertBlobs(tx, blobs, now),
		insertNodes(tx, nodes),
		queries.insertUploads(tx, uploadRows),
		...[...Map.groupBy(nodes, ({ owner_id }) => owner_id)].map(([ownerId, ofSpace]) =>
			addToTotals(tx, ownerId, ofSpace),
		),
		...blobs.map((blob) => queueThumbnail(deps, tx, blob)),
		recordAudits(deps, tx, entries),
	]);
}

async function addToTotals(tx: Db, ownerId: string, nodes: ReadonlyArray<{ path: string; size_bytes: number }>) {
	const sumBytes = (files: typeof nodes) => files.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
	const changes = [...Map.groupBy(nodes, ({ path }) => path)].map(([path, files]) => {
		return [path, { folders: 0, files: files.length, sizeBytes: sumBytes(files) }] as const;
	});
	await awaitAll([
		addToManyFolderTotals(tx, ownerId, new Map(changes)),
		addToSpaceTotals(tx, ownerId, nodes.length, sumBytes(nodes)),
	]);
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
