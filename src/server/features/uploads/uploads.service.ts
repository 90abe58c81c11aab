import type { Readable } from 'node:stream';
import { type DataStore, Upload } from '@tus/server';
import { limits } from '#contract/core/limits.ts';
import type { UploadConflict } from '#contract/files/uploads.ts';
import { isUniqueViolation } from '../../db/errors.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { findHeldLeases } from '../../platform/leases/leases.ts';
import { sniffStored } from '../../platform/sniff.ts';
import { recordAudit, systemCaller } from '../audit/audit.service.ts';
import { arrive, requireWay } from '../files/arrival.service.ts';
import * as files from '../files/files.service.ts';
import { queueThumbnail } from '../files/thumbnails.service.ts';
import { passEditionOn } from '../settings/settings.service.ts';
import { parseConflict, type UploadPlaces } from './uploads.bytes.ts';
import { uploadBytesOf } from './uploads.driver.ts';
import { finishingAlone, uploadLeases } from './uploads.lock.ts';
import { isCurable, isForNow, requirePlaceNow } from './uploads.place.ts';
import * as queries from './uploads.queries.ts';
import { findRoom, requireRoomBeside } from './uploads.room.ts';

const neverBegunAfterSeconds = 3600;
const abandonedAfterSeconds = 7 * 24 * 3600;

export interface UploadWish {
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
export async function beginUpload(deps: Deps, caller: Caller, id: string, wish: UploadWish): Promise<void> {
	if (caller.actor === null) throw new AppError('UNAUTHORIZED');
	if (wish.sizeBytes === undefined) throw new AppError('INVALID_INPUT');
	if (wish.sizeBytes > limits.uploadMaxBytes) throw new AppError('UPLOAD_TOO_LARGE');
	const name = files.requireName(wish.name);
	const space = await files.requireSpace(deps, caller, wish.owner);
	const folder = await files.requireFolder(deps.db, space.id, wish.path);
	const arrival = { ownerId: space.id, path: folder.path, name, conflict: wish.conflict ?? 'skip' };
	const { isReplacing } = await requireWay(deps.db, arrival);
	const room = await findRoom(deps, wish.sizeBytes);
	const upload = {
		id,
		user_id: caller.actor.userId,
		owner_id: space.id,
		parent_id: folder.id,
		path: folder.path,
		name,
		storage_key: await files.newFileKey(deps, space.id, folder.path, name),
		size_bytes: wish.sizeBytes,
		modified_ms: wish.modifiedMs ?? null,
		created_at: isoAt(deps.clock),
		finished_at: null,
		node_id: null,
		conflict: arrival.conflict,
		multipart_id: null,
		tail_key: null,
	};
	try {
		await inTransaction(deps.db, async (tx) => {
			await files.lockSpace(tx, space.id);
			await files.requirePlaceStays(tx, space.id, folder);
			// Here, so that of many at the same moment no more are let in than fit.
			await files.requireQuotaForNew(tx, space.id, upload.size_bytes, isReplacing);
			await requireRoomBeside(deps, tx, room, upload.size_bytes);
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
	return uploadBytesOf(deps).countArrived(deps, upload);
}

/** What was fixed when an upload was begun; undefined when it has to begin anew. */
export function findDescription(
	deps: Deps,
	upload: queries.UploadRow,
): Promise<{ conflict: UploadConflict } | undefined> {
	return uploadBytesOf(deps).findDescription(deps, upload);
}

/** Where tus keeps the bytes of unfinished uploads. */
export function createUploadStore(deps: Deps): DataStore {
	return uploadBytesOf(deps).createStore(deps, (id) => forgetUpload(deps, id));
}

/** Takes the next bytes of an upload that was begun from this machine, as if they had come over the line; without a finish. */
export async function receiveHere(deps: Deps, id: string, bytes: Readable): Promise<void> {
	const upload = await queries.findUpload(deps.db, id);
	if (upload === undefined) throw new AppError('NOT_FOUND');
	const store = createUploadStore(deps);
	if ((await findDescription(deps, upload)) === undefined)
		await store.create(new Upload({ id, size: upload.size_bytes, offset: 0, metadata: { filename: upload.name } }));
	await store.write(bytes, id, await countArrivedBytes(deps, upload));
}

/** Puts all bytes of a whole upload into their place: the first half of its finish. */
export async function gatherUpload(deps: Deps, id: string): Promise<void> {
	const upload = await queries.findUpload(deps.db, id);
	if (upload !== undefined) await uploadBytesOf(deps).gather(deps, upload);
}

const finishingOf = new WeakMap<Deps, Map<string, Promise<void>>>();

/**
 * Turns a complete upload into a file: bytes into place, then the row. Can be repeated after a cut-off at any point;
 * two calls at the same moment, on any servers, do it once.
 * @throws AppError FILE_EXISTS (the bytes are dropped: somebody else was first); FOLDER_GONE, QUOTA_EXCEEDED (they are
 * kept: once the folder is restored, or there is room, the finish can be asked for again); UPLOAD_LOCKED (another server
 * has been at it for long)
 */
export function finishUpload(deps: Deps, caller: Caller, id: string): Promise<void> {
	const finishing = finishingOf.get(deps) ?? new Map<string, Promise<void>>();
	finishingOf.set(deps, finishing);
	const running = finishing.get(id);
	if (running !== undefined) return running;
	const work = finishingAlone(deps, id, () => finishOnce(deps, caller, id)).finally(() => finishing.delete(id));
	finishing.set(id, work);
	return work;
}

async function finishOnce(deps: Deps, caller: Caller, id: string): Promise<void> {
	const upload = await queries.findUpload(deps.db, id);
	if (upload === undefined || upload.finished_at !== null) return;
	const conflict = parseConflict(upload.conflict ?? (await findDescription(deps, upload))?.conflict);
	await orDrop(deps, upload, () => requireWelcome(deps.db, upload, conflict));
	const stored = await uploadBytesOf(deps).gather(deps, upload);
	const contentType = await sniffStored(deps.storage, { storageKey: upload.storage_key, sizeBytes: stored.sizeBytes });
	const blob = { id: newId(), storageKey: upload.storage_key, ...stored, contentType };
	await orDrop(deps, upload, () =>
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
				} = await arrive(deps, tx, caller, {
					ownerId: upload.owner_id,
					parent: await requirePlaceNow(tx, upload),
					name: upload.name,
					conflict,
					blob,
				});
				if (replacedId !== null && contentType === 'application/pdf') await passEditionOn(deps, tx, replacedId, nodeId);
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
	await uploadBytesOf(deps).forget(deps, { id: upload.id, storageKey: upload.storage_key });
	files.publishNodes(deps, upload.owner_id);
	if (conflict === 'replace') files.publishBookAccess(deps, upload.owner_id);
	deps.wakeWorkers();
}

/** Before the bytes are put into their place: what is refused here costs nothing to ask for again. */
async function requireWelcome(db: Db, upload: queries.UploadRow, conflict: UploadConflict): Promise<void> {
	const { path } = await requirePlaceNow(db, upload);
	const { isReplacing } = await requireWay(db, { ownerId: upload.owner_id, path, name: upload.name, conflict });
	await files.requireQuota(db, upload.owner_id, upload.size_bytes, isReplacing);
}

/** An upload that was refused for good is forgotten. */
async function orDrop(deps: Deps, upload: queries.UploadRow, work: () => Promise<void>): Promise<void> {
	try {
		await work();
	} catch (error) {
		const now = await queries.findUpload(deps.db, upload.id);
		// Another server has made the file meanwhile, and it is this file's own name that was in the way.
		if (now !== undefined && now.finished_at !== null) return;
		if (!(await isCurable(deps.db, upload, error))) await dropUpload(deps, upload);
		throw error;
	}
}

/** Forgets an upload with whatever of it has arrived. */
export async function dropUpload(deps: Deps, upload: queries.UploadRow): Promise<void> {
	const { id, storage_key: storageKey, multipart_id: multipartId, tail_key: tailKey } = upload;
	const seen = { id, storageKey, multipartId, tailKey };
	await uploadBytesOf(deps).forget(deps, seen);
	// Without its row no finish comes to an end; one that came before has a blob, and keeps its bytes.
	await removeUploadBytes(deps, (await queries.deleteUpload(deps.db, id)) ?? seen);
}

/** The same by its name, if it is still there. */
export async function forgetUpload(deps: Deps, id: string): Promise<void> {
	const upload = await queries.findUpload(deps.db, id);
	if (upload !== undefined) await dropUpload(deps, upload);
}

/** What an upload has left whose row went with its uploader; a file that came of it in time stays. */
export async function removeUploadBytes(deps: Deps, places: UploadPlaces): Promise<void> {
	await uploadBytesOf(deps).forget(deps, places);
	if (!(await queries.hasBlobUnder(deps.db, places.storageKey))) await deps.storage.remove(places.storageKey);
}

/** After a start: finishes what was complete when the process died, and drops what nobody came back for in a week. */
export async function repairUploads(deps: Deps): Promise<void> {
	const unfinished = await queries.listUnfinishedUploads(deps.db);
	const busy = await findBusyUploads(
		deps,
		unfinished.map(({ id }) => id),
	);
	for (const upload of unfinished.filter(({ id }) => !busy.has(id))) {
		const isAbandoned = upload.created_at < isoAt(deps.clock, -abandonedAfterSeconds);
		if ((await findDescription(deps, upload)) === undefined) {
			if (upload.created_at < isoAt(deps.clock, -neverBegunAfterSeconds)) await dropUpload(deps, upload);
		} else if ((await countArrivedBytes(deps, upload)) === upload.size_bytes) {
			await finishUpload(deps, systemCaller, upload.id).catch(async (error: unknown) => {
				deps.log.warn({ err: error, upload: upload.id }, 'upload not finished');
				if (isAbandoned && error instanceof AppError && !isForNow(error)) await dropUpload(deps, upload);
			});
		} else if (isAbandoned) {
			await dropUpload(deps, upload);
		}
	}
}

/** Which of these uploads another server is receiving or finishing. */
export async function findBusyUploads(deps: Deps, ids: string[]): Promise<Set<string>> {
	if (deps.connection.kind === 'sqlite') return new Set();
	const idOf = new Map(ids.flatMap((id) => uploadLeases(id).map((name) => [name, id] as const)));
	const held = await findHeldLeases(deps, [...idOf.keys()]);
	return new Set(held.flatMap((name) => idOf.get(name) ?? []));
}

export { parseConflict, type UploadPlaces } from './uploads.bytes.ts';
export { uploadFolder } from './uploads.chunks.ts';
export { listBegunUploads, listUploadsInto } from './uploads.queries.ts';
