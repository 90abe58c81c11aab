import type { Readable } from 'node:stream';
import { type DataStore, Upload } from '@tus/server';
import { limits } from '#contract/core/limits.ts';
import type { UploadConflict } from '#contract/uploads/uploads.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import { isUniqueViolation } from '../../platform/database/errors.ts';
import type { Db } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { findActiveLeases } from '../../platform/locking/leases/leases.ts';
import { createRegistration } from '../../platform/registration.ts';
import { detectStoredContentType } from '../../platform/storage/content-type.ts';
import type { UploadKeys } from '../../platform/storage/storage.ts';
import { recordAudit, systemCaller } from '../audit/index.ts';
import * as files from '../files/index.ts';
import { addFile, queueThumbnail, resolveNameConflict } from '../files/index.ts';
import { measureDiskSpace, requireDiskSpace } from './disk-space.ts';
import { uploadStorageOf } from './storage/storage-driver.ts';
import { parseConflict } from './storage/upload-storage.ts';
import { getTargetFolder, isRecoverable, isTemporary } from './target-folder.ts';
import { uploadLeaseNames, withFinishLease } from './upload-lock.ts';
import * as queries from './uploads.queries.ts';

/** In the transaction in which a PDF takes the place of another: an edition of the book goes on with the new one. */
export const pdfReplacement =
	createRegistration<(deps: Deps, tx: Db, oldNodeId: string, newNodeId: string) => Promise<void>>(
		'replacement of a PDF',
	);

const discardBatchSize = 200;
const withoutMetadataMaxSeconds = 3600;
const unfinishedMaxSeconds = 7 * 24 * 3600;

export interface NewUpload {
	owner: string;
	path: string;
	name: string;
	/** Undefined when the client does not say: refused. */
	sizeBytes: number | undefined;
	/** When the file was last changed, as the browser says. */
	modifiedMs?: number | null;
	/** `skip` unless said. */
	conflict?: UploadConflict;
}

/**
 * Fixes owner, folder and name of a new upload before its first byte.
 * @throws AppError NAME_INVALID, NAME_TOO_LONG, FILE_EXISTS, FOLDER_GONE, NOT_FOUND, QUOTA_EXCEEDED, QUOTA_NEEDS_BOTH, UPLOAD_TOO_LARGE, STORAGE_FULL, INVALID_INPUT, UPLOAD_OFFSET
 */
export async function beginUpload(deps: Deps, caller: Caller, id: string, input: NewUpload): Promise<void> {
	if (caller.actor === null) throw new AppError('UNAUTHORIZED');
	if (input.sizeBytes === undefined) throw new AppError('INVALID_INPUT');
	if (input.sizeBytes > limits.uploadMaxBytes) throw new AppError('UPLOAD_TOO_LARGE');
	const name = files.requireName(input.name);
	const space = await files.requireSpace(deps, caller, input.owner);
	const folder = await files.getFolder(deps.db, space.id, input.path);
	const incoming = { ownerId: space.id, path: folder.path, name, conflict: input.conflict ?? 'skip' };
	const { isReplacing } = await resolveNameConflict(deps.db, incoming);
	const diskSpace = await measureDiskSpace(deps, input.sizeBytes);
	const upload = {
		id,
		user_id: caller.actor.userId,
		owner_id: space.id,
		parent_id: folder.id,
		path: folder.path,
		name,
		storage_key: await files.newStorageKey(deps, space.id, folder.path, name),
		size_bytes: input.sizeBytes,
		modified_ms: input.modifiedMs ?? null,
		created_at: isoAt(deps.clock),
		finished_at: null,
		node_id: null,
		conflict: incoming.conflict,
		multipart_id: null,
		tail_key: null,
	};
	try {
		await inTransaction(deps.db, async (tx) => {
			await files.lockSpace(tx, space.id);
			await files.lockOwnerAndFolder(tx, space.id, folder);
			// Here, so that of many at the same moment no more are let in than fit.
			await files.requireQuotaWithPending(tx, space.id, upload.size_bytes, isReplacing);
			await requireDiskSpace(deps, tx, diskSpace, upload.size_bytes);
			await queries.insertUpload(tx, upload);
		});
	} catch (error) {
		// Begun already under this id: whoever asks again must first look how far it is.
		if (isUniqueViolation(error)) throw new AppError('UPLOAD_OFFSET');
		throw error;
	}
}

/** The caller's own upload. @throws AppError NOT_FOUND for an absent one and another's alike */
export async function requireUpload(deps: Deps, caller: Caller, id: string): Promise<queries.UploadRow> {
	const upload = await queries.findUpload(deps.db, id);
	if (upload === undefined || upload.user_id !== caller.actor?.userId) throw new AppError('NOT_FOUND');
	return upload;
}

/** What of an upload has arrived and is safe, wherever a cut-off finish has left it; in bytes. */
export function countArrivedBytes(deps: Deps, upload: queries.UploadRow): Promise<number> {
	return uploadStorageOf(deps).countArrivedBytes(deps, upload);
}

/** What was fixed when an upload was begun; undefined when it has to begin anew. */
export function findUploadMetadata(
	deps: Deps,
	upload: queries.UploadRow,
): Promise<{ conflict: UploadConflict } | undefined> {
	return uploadStorageOf(deps).findMetadata(deps, upload);
}

/** Where tus keeps the bytes of unfinished uploads. */
export function createUploadStore(deps: Deps): DataStore {
	return uploadStorageOf(deps).createStore(deps, (id) => discardUploadById(deps, id));
}

/** Takes the next bytes of an upload that was begun from this machine, as if they had come over the line; without a finish. */
export async function appendUploadBytes(deps: Deps, id: string, bytes: Readable): Promise<void> {
	const upload = await queries.findUpload(deps.db, id);
	if (upload === undefined) throw new AppError('NOT_FOUND');
	const store = createUploadStore(deps);
	if ((await findUploadMetadata(deps, upload)) === undefined)
		await store.create(new Upload({ id, size: upload.size_bytes, offset: 0, metadata: { filename: upload.name } }));
	await store.write(bytes, id, await countArrivedBytes(deps, upload));
}

/** Puts all bytes of a whole upload into their place: the first half of its finish. */
export async function assembleUpload(deps: Deps, id: string): Promise<void> {
	const upload = await queries.findUpload(deps.db, id);
	if (upload !== undefined) await uploadStorageOf(deps).assemble(deps, upload);
}

const runningFinishes = new WeakMap<Deps, Map<string, Promise<void>>>();

/**
 * Turns a complete upload into a file: bytes into place, then the row. Can be repeated after a cut-off at any point;
 * two calls at the same moment, on any servers, do it once.
 * @throws AppError FILE_EXISTS (the bytes are dropped: somebody else was first); FOLDER_GONE, QUOTA_EXCEEDED (they are
 * kept: once the folder is restored, or there is room, the finish can be asked for again); UPLOAD_LOCKED (another server
 * has been at it for long)
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
	const conflict = parseConflict(upload.conflict ?? (await findUploadMetadata(deps, upload))?.conflict);
	await discardWhenUnrecoverable(deps, upload, () => requireAcceptable(deps.db, upload, conflict));
	const stored = await uploadStorageOf(deps).assemble(deps, upload);
	const contentType = await detectStoredContentType(deps.storage, {
		storageKey: upload.storage_key,
		sizeBytes: stored.sizeBytes,
	});
	const blob = { id: newId(), storageKey: upload.storage_key, ...stored, contentType };
	await discardWhenUnrecoverable(deps, upload, () =>
		files.withNameConflict('FILE_EXISTS', upload.name, () =>
			inTransaction(deps.db, async (tx) => {
				await files.lockSpace(tx, upload.owner_id);
				const now = await queries.findUploadForUpdate(tx, upload.id);
				// A file is told of by its uploader: without one, nobody put it there.
				if (now === undefined) throw new AppError('NOT_FOUND');
				if (now.finished_at !== null) return;
				const {
					id: nodeId,
					name,
					replacedId,
				} = await addFile(deps, tx, caller, {
					ownerId: upload.owner_id,
					parent: await getTargetFolder(tx, upload),
					name: upload.name,
					conflict,
					blob,
				});
				if (replacedId !== null && contentType === 'application/pdf')
					await pdfReplacement()(deps, tx, replacedId, nodeId);
				await queueThumbnail(deps, tx, blob);
				await queries.markUploadFinished(tx, upload.id, nodeId, isoAt(deps.clock));
				await recordAudit(deps, tx, caller, {
					action: 'file-uploaded',
					subjectKind: 'node',
					subjectId: nodeId,
					detail: { name, size: stored.sizeBytes },
				});
			}),
		),
	);
	await uploadStorageOf(deps).forget(deps, { id: upload.id, storageKey: upload.storage_key });
	files.publishNodesChanged(deps, upload.owner_id);
	if (conflict === 'replace') files.publishBookAccessChanged(deps, upload.owner_id);
	deps.wakeWorkers();
}

/** Before the bytes are put into their place: what is refused here costs nothing to ask for again. */
async function requireAcceptable(db: Db, upload: queries.UploadRow, conflict: UploadConflict): Promise<void> {
	const { path } = await getTargetFolder(db, upload);
	const { isReplacing } = await resolveNameConflict(db, {
		ownerId: upload.owner_id,
		path,
		name: upload.name,
		conflict,
	});
	await files.requireQuota(db, upload.owner_id, upload.size_bytes, isReplacing);
}

/** An upload that was refused for good is forgotten. */
async function discardWhenUnrecoverable(
	deps: Deps,
	upload: queries.UploadRow,
	work: () => Promise<void>,
): Promise<void> {
	try {
		await work();
	} catch (error) {
		const now = await queries.findUpload(deps.db, upload.id);
		// Another server has made the file meanwhile, and it is this file's own name that was in the way.
		if (now !== undefined && now.finished_at !== null) return;
		if (!(await isRecoverable(deps.db, upload, error))) await discardUpload(deps, upload);
		throw error;
	}
}

/** Forgets an upload with whatever of it has arrived. */
export async function discardUpload(deps: Deps, upload: queries.UploadRow): Promise<void> {
	const { id, storage_key: storageKey, multipart_id: multipartId, tail_key: tailKey } = upload;
	const keys = { id, storageKey, multipartId, tailKey };
	await uploadStorageOf(deps).forget(deps, keys);
	// Without its row no finish comes to an end; one that came before has a blob, and keeps its bytes.
	await deleteUploadBytes(deps, (await queries.deleteUpload(deps.db, id)) ?? keys);
}

/** The same by its name, if it is still there. */
export async function discardUploadById(deps: Deps, id: string): Promise<void> {
	const upload = await queries.findUpload(deps.db, id);
	if (upload !== undefined) await discardUpload(deps, upload);
}

/** What an upload has left whose row went with its uploader; a file that came of it in time stays. */
export async function deleteUploadBytes(deps: Deps, keys: UploadKeys): Promise<void> {
	await uploadStorageOf(deps).forget(deps, keys);
	if (!(await queries.hasBlobWithKey(deps.db, keys.storageKey))) await deps.storage.remove(keys.storageKey);
}

/** Ends some uploads of others into a space whose owner is gone. @returns whether there may be more */
export async function discardUploadsToSpace(deps: Deps, ownerId: string): Promise<boolean> {
	const uploads = await queries.listUploadsToSpace(deps.db, ownerId, discardBatchSize);
	for (const upload of uploads) await discardUpload(deps, upload);
	return uploads.length > 0;
}

/** After a start: finishes what was complete when the process died, and drops what nobody came back for in a week. */
export async function resumeOrDiscardUploads(deps: Deps): Promise<void> {
	const unfinished = await queries.listUnfinishedUploads(deps.db);
	const busy = await findBusyUploads(
		deps,
		unfinished.map(({ id }) => id),
	);
	for (const upload of unfinished.filter(({ id }) => !busy.has(id))) {
		const isAbandoned = upload.created_at < isoAt(deps.clock, -unfinishedMaxSeconds);
		if ((await findUploadMetadata(deps, upload)) === undefined) {
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

/** Which of these uploads another server is receiving or finishing. */
export async function findBusyUploads(deps: Deps, ids: string[]): Promise<Set<string>> {
	if (deps.connection.kind === 'sqlite') return new Set();
	const idOf = new Map(ids.flatMap((id) => uploadLeaseNames(id).map((name) => [name, id] as const)));
	const heldNames = await findActiveLeases(deps, [...idOf.keys()]);
	return new Set(heldNames.flatMap((name) => idOf.get(name) ?? []));
}
