import type { Readable } from 'node:stream';
import { type DataStore, Upload } from '@tus/server';
import { limits } from '#contract/core/limits.ts';
import type { Locale } from '#contract/core/text.ts';
import type { UploadConflict } from '#contract/files/uploads.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError, required } from '../../../platform/app-error.ts';
import { isoAt } from '../../../platform/clock.ts';
import { isUniqueViolation } from '../../../platform/database/errors.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { createRegistration, type Deps } from '../../../platform/deps.ts';
import { newId } from '../../../platform/ids.ts';
import { findLeasedNames } from '../../../platform/locking/leases/leases.queries.ts';
import type { NewBlob } from '../../../platform/storage/blobs.queries.ts';
import { detectStoredContentType } from '../../../platform/storage/content-type.ts';
import { findReferencedKeys } from '../../../platform/storage/storage.queries.ts';
import type { UploadKeys } from '../../../platform/storage/storage.ts';
import { recordAudit, systemCaller } from '../../audit/index.ts';
import { requireQuota } from '../spaces/quota.ts';
import { requireSpace } from '../spaces/spaces.policy.ts';
import { lockSpace } from '../spaces/spaces.queries.ts';
import { queueThumbnail } from '../thumbnails/thumbnails.service.ts';
import { addFile, findReplacedFile, type IncomingFile } from '../tree/add-file.ts';
import { requireName } from '../tree/node-names.ts';
import { getFolder } from '../tree/nodes.ts';
import {
	lockTargetFolder,
	type NewFile,
	newStorageKey,
	publishBookAccessChanged,
	publishNodesChanged,
	withNameConflict,
} from '../tree/tree.service.ts';
import { measureDiskSpace, requireDiskSpace } from './disk-space.ts';
import { uploadStorageOf } from './storage/multipart-upload-storage.ts';
import { getTargetFolder, isRecoverable, isTemporary } from './target-folder.ts';
import { uploadLeaseNames, withFinishLease } from './upload-lock.ts';
import * as queries from './uploads.queries.ts';

type StoredBytes = Pick<NewBlob, 'storageKey' | 'sizeBytes' | 'contentType'>;

interface FileReplacement {
	/** Called before a file is replaced. @throws AppError when stored bytes must not replace it */
	validate(deps: Deps, locale: Locale, replacedId: string, blob: StoredBytes): Promise<void>;
	/** Called in the transaction in which a PDF replaces a file, so that an edition of the book uses the new file. */
	apply(deps: Deps, tx: Db, oldNodeId: string, newNodeId: string): Promise<void>;
}

export const fileReplacement = createRegistration<FileReplacement>('replacement of a file');

const discardBatchSize = 200;
const withoutMetadataMaxSeconds = 3600;
const unfinishedMaxSeconds = 7 * 24 * 3600;

export interface NewUpload {
	owner: string;
	path: string;
	name: string;
	/** Undefined when the client does not announce a size; such an upload is refused. */
	sizeBytes: number | undefined;
	/** When the file was last changed according to the browser, in milliseconds since 1970. */
	modifiedMs?: number | null;
	/** By default `skip`. */
	conflict?: UploadConflict | undefined;
}

/**
 * Checks and stores the owner, folder and name of a new upload before its first byte.
 * @throws AppError NAME_INVALID, NAME_TOO_LONG, FILE_EXISTS, FOLDER_GONE, NOT_FOUND, QUOTA_EXCEEDED, QUOTA_NEEDS_BOTH,
 * UPLOAD_TOO_LARGE, STORAGE_FULL, INVALID_INPUT, UPLOAD_OFFSET
 */
export async function beginUpload(deps: Deps, caller: Caller, id: string, input: NewUpload): Promise<void> {
	if (caller.actor === null) throw new AppError('UNAUTHORIZED');
	if (input.sizeBytes === undefined) throw new AppError('INVALID_INPUT');
	if (input.sizeBytes > limits.uploadMaxBytes) throw new AppError('UPLOAD_TOO_LARGE');
	const name = requireName(input.name);
	const space = await requireSpace(deps, caller, input.owner);
	const folder = await getFolder(deps.db, space.id, input.path);
	const incoming = { ownerId: space.id, path: folder.path, name, conflict: input.conflict ?? 'skip' };
	const isReplacing = (await findReplacedFile(deps.db, incoming)) !== null;
	const diskSpace = await measureDiskSpace(deps, input.sizeBytes);
	const upload = {
		id,
		user_id: caller.actor.userId,
		owner_id: space.id,
		parent_id: folder.id,
		path: folder.path,
		name,
		storage_key: await newStorageKey(deps, space.id, folder.path, name),
		size_bytes: input.sizeBytes,
		modified_ms: input.modifiedMs ?? null,
		created_at: isoAt(deps.clock),
		conflict: incoming.conflict,
	};
	try {
		await inTransaction(deps.db, async (tx) => {
			await lockTargetFolder(tx, space.id, folder);
			// Checked inside the transaction, so that concurrent uploads together do not exceed the quota.
			await requireQuota(tx, space.id, upload.size_bytes, { isReplacing, pending: 'all' });
			await requireDiskSpace(deps, tx, diskSpace, upload.size_bytes);
			await queries.insertUpload(tx, upload);
		});
	} catch (error) {
		// The upload exists already, so the client must first ask for its offset.
		if (isUniqueViolation(error)) throw new AppError('UPLOAD_OFFSET');
		throw error;
	}
}

/** Returns an upload of the caller. @throws AppError NOT_FOUND, also for an upload of another user */
export async function requireUpload(deps: Deps, caller: Caller, id: string): Promise<queries.UploadRow> {
	const upload = await queries.findUpload(deps.db, id);
	if (upload === undefined || upload.user_id !== caller.actor?.userId) throw new AppError('NOT_FOUND');
	return upload;
}

export function countArrivedBytes(deps: Deps, upload: queries.UploadRow): Promise<number> {
	return uploadStorageOf(deps).countArrivedBytes(deps, upload);
}

export function isUploadReady(deps: Deps, upload: queries.UploadRow): Promise<boolean> {
	return uploadStorageOf(deps).isReady(deps, upload);
}

export function createUploadStore(deps: Deps): DataStore {
	const store = uploadStorageOf(deps).createStore(deps);
	// Deletes a cancelled upload before the response is sent.
	store.remove = async (id) => {
		const upload = await queries.findUpload(deps.db, id);
		if (upload !== undefined) await discardUpload(deps, upload);
	};
	return store;
}

/** Appends bytes to a started upload as if they had come from the client, without finishing it. */
export async function appendUploadBytes(deps: Deps, id: string, bytes: Readable): Promise<void> {
	const upload = required(await queries.findUpload(deps.db, id), 'NOT_FOUND');
	const store = createUploadStore(deps);
	if (!(await isUploadReady(deps, upload)))
		await store.create(new Upload({ id, size: upload.size_bytes, offset: 0, metadata: { filename: upload.name } }));
	await store.write(bytes, id, await countArrivedBytes(deps, upload));
}

const runningFinishes = new WeakMap<Deps, Map<string, Promise<void>>>();

/**
 * Turns a complete upload into a file. Can be repeated after an interruption; of concurrent calls only one creates the
 * file.
 * @throws AppError FILE_EXISTS, EDITION_UNFIT (the bytes are deleted); FOLDER_GONE, QUOTA_EXCEEDED (the bytes are kept, so that
 * finishing can be requested again); UPLOAD_LOCKED (another server is finishing the upload)
 */
export function finishUpload(deps: Deps, caller: Caller, id: string): Promise<void> {
	const finishing = runningFinishes.get(deps) ?? new Map<string, Promise<void>>();
	runningFinishes.set(deps, finishing);
	const running = finishing.get(id);
	if (running !== undefined) return running;
	const work = withFinishLease(deps, id, () => finishOnce(deps, caller, id)).finally(() => finishing.delete(id));
	finishing.set(id, work);
	return work;
}

async function finishOnce(deps: Deps, caller: Caller, id: string): Promise<void> {
	const upload = await queries.findUpload(deps.db, id);
	if (upload === undefined || upload.finished_at !== null) return;
	const conflict = upload.conflict ?? 'skip';
	await discardWhenUnrecoverable(deps, upload, () => requireAcceptable(deps.db, upload, conflict));
	const stored = await uploadStorageOf(deps).assemble(deps, upload);
	const file = { storageKey: upload.storage_key, ...stored };
	const contentType = await detectStoredContentType(deps.storage, file);
	const blob = { id: newId(), ...file, contentType };
	await discardWhenUnrecoverable(deps, upload, async () => {
		const { path } = await getTargetFolder(deps.db, upload);
		await requireReplaceable(deps, caller, { ownerId: upload.owner_id, path, name: upload.name, conflict, blob });
		await withNameConflict('FILE_EXISTS', upload.name, () =>
			inTransaction(deps.db, async (tx) => {
				await lockSpace(tx, upload.owner_id);
				const now = await queries.findUploadForUpdate(tx, upload.id);
				// The upload was deleted with the account of its uploader.
				if (now === undefined) throw new AppError('NOT_FOUND');
				if (now.finished_at !== null) return;
				const parent = await getTargetFolder(tx, upload);
				const newFile = { ownerId: upload.owner_id, parent, name: upload.name, conflict, blob };
				const nodeId = await addUploadedFile(deps, tx, caller, newFile);
				await queries.markUploadFinished(tx, upload.id, nodeId, isoAt(deps.clock));
			}),
		);
	});
	await uploadStorageOf(deps).forget(deps, { id: upload.id, storageKey: upload.storage_key });
	publishNodesChanged(deps, upload.owner_id);
	if (conflict === 'replace') publishBookAccessChanged(deps, upload.owner_id);
	deps.wakeWorkers();
}

/** Checks stored bytes that may replace a file. @throws AppError FILE_EXISTS, EDITION_UNFIT */
export async function requireReplaceable(
	deps: Deps,
	{ locale }: Caller,
	file: IncomingFile & { blob: StoredBytes },
): Promise<void> {
	if (file.conflict !== 'replace') return;
	const replacedId = await findReplacedFile(deps.db, file);
	if (replacedId !== null) await fileReplacement().validate(deps, locale, replacedId, file.blob);
}

/** Adds an uploaded file with its thumbnail job and audit entry. @returns the file's id @throws AppError as addFile */
export async function addUploadedFile(
	deps: Deps,
	tx: Db,
	caller: Caller,
	file: NewFile & { conflict: UploadConflict },
): Promise<string> {
	const { blob } = file;
	const { id: nodeId, name, replacedId } = await addFile(deps, tx, caller, file);
	if (replacedId !== null && blob.contentType === 'application/pdf')
		await fileReplacement().apply(deps, tx, replacedId, nodeId);
	await queueThumbnail(deps, tx, blob);
	await recordAudit(deps, tx, caller, 'file-uploaded', ['node', nodeId], { name, size: blob.sizeBytes });
	return nodeId;
}

/** Checks an upload before its bytes are assembled, so that a refused finish costs little. */
async function requireAcceptable(db: Db, upload: queries.UploadRow, conflict: UploadConflict): Promise<void> {
	const { path } = await getTargetFolder(db, upload);
	const { owner_id: ownerId, name } = upload;
	const replacedId = await findReplacedFile(db, { ownerId, path, name, conflict });
	await requireQuota(db, ownerId, upload.size_bytes, { isReplacing: replacedId !== null });
}

async function discardWhenUnrecoverable(deps: Deps, upload: queries.UploadRow, work: () => Promise<void>) {
	try {
		await work();
	} catch (error) {
		const now = await queries.findUpload(deps.db, upload.id);
		// Another server has finished the upload, so a FILE_EXISTS error is about the upload's own file.
		if (now !== undefined && now.finished_at !== null) return;
		if (!(await isRecoverable(deps.db, upload, error))) await discardUpload(deps, upload);
		throw error;
	}
}

export async function discardUpload(deps: Deps, upload: queries.UploadRow): Promise<void> {
	const { id, storage_key: storageKey, multipart_id: multipartId, tail_key: tailKey } = upload;
	const keys = { id, storageKey, multipartId, tailKey };
	await uploadStorageOf(deps).forget(deps, keys);
	// Without the row, no finish can complete. If a finish completed before, its bytes have a blob and are kept.
	await deleteUploadBytes(deps, (await queries.deleteUpload(deps.db, id)) ?? keys);
}

/** Deletes the bytes of an upload whose row is deleted, unless a file uses them. */
export async function deleteUploadBytes(deps: Deps, keys: UploadKeys): Promise<void> {
	await uploadStorageOf(deps).forget(deps, keys);
	const used = await findReferencedKeys(deps.db, [keys.storageKey]);
	if (used.size === 0) await deps.storage.remove([keys.storageKey]);
}

/** Discards one batch of uploads to the space of a deleted user. @returns whether more uploads may remain */
export async function discardUploadsToSpace(deps: Deps, ownerId: string): Promise<boolean> {
	const uploads = await queries.listUploadsToSpace(deps.db, ownerId, discardBatchSize);
	for (const upload of uploads) await discardUpload(deps, upload);
	return uploads.length > 0;
}

/** Runs after a start and hourly: finishes complete uploads, and discards uploads that began over a week ago. */
export async function resumeOrDiscardUploads(deps: Deps): Promise<void> {
	const unfinished = await queries.listUnfinishedUploads(deps.db);
	const busy = await findBusyUploads(deps, unfinished);
	for (const upload of unfinished.filter(({ id }) => !busy.has(id))) {
		const isAbandoned = upload.created_at < isoAt(deps.clock, -unfinishedMaxSeconds);
		if (!(await isUploadReady(deps, upload))) {
			if (upload.created_at < isoAt(deps.clock, -withoutMetadataMaxSeconds)) await discardUpload(deps, upload);
		} else if ((await countArrivedBytes(deps, upload)) === upload.size_bytes) {
			await finishUpload(deps, systemCaller, upload.id).catch(async (error: unknown) => {
				deps.log.warn({ err: error, upload: upload.id }, 'upload not finished');
				if (isAbandoned && error instanceof AppError && !isTemporary(error)) await discardUpload(deps, upload);
			});
		} else if (isAbandoned) {
			await discardUpload(deps, upload);
		}
	}
}

/** Returns the ids of uploads that another server is receiving or finishing. */
export async function findBusyUploads(deps: Deps, uploads: queries.UploadRow[]): Promise<Set<string>> {
	if (deps.connection.kind === 'sqlite') return new Set();
	const idOf = new Map(uploads.flatMap(({ id }) => uploadLeaseNames(id).map((name) => [name, id] as const)));
	const heldNames = await findLeasedNames(deps.db, [...idOf.keys()]);
	return new Set(heldNames.flatMap((name) => idOf.get(name) ?? []));
}
