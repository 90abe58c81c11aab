import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { limits } from '#contract/core/limits.ts';
import { type UploadConflict, uploadConflicts } from '#contract/files/uploads.ts';
import { isUniqueViolation } from '../../db/errors.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import type { Deps } from '../../platform/deps.ts';
import { newId } from '../../platform/ids.ts';
import { sniffType } from '../../platform/sniff.ts';
import { recordAudit, systemCaller } from '../audit/audit.service.ts';
import { arrive, requireWay } from '../files/arrival.service.ts';
import * as files from '../files/files.service.ts';
import { queueThumbnail } from '../files/thumbnails.service.ts';
import { passEditionOn } from '../settings/settings.service.ts';
import { countArrivedBytes, uploadFolder } from './uploads.chunks.ts';
import { isCurable, requirePlaceNow } from './uploads.place.ts';
import * as queries from './uploads.queries.ts';
import { findRoom, requireRoomBeside } from './uploads.room.ts';

const sniffedBytes = 4100;
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

/**
 * What was fixed when an upload was begun beside its row: tus keeps it next to the chunks until the file is there.
 * Undefined for an upload of which only the row, or half of its description, was written when the process died: it has
 * to begin anew.
 */
export async function findDescription(deps: Deps, id: string): Promise<{ conflict: UploadConflict } | undefined> {
	try {
		const { metadata } = description.parse(JSON.parse(await readFile(join(uploadFolder(deps), `${id}.json`), 'utf8')));
		return { conflict: parseConflict(metadata?.conflict) };
	} catch {
		return undefined;
	}
}

const description = z.object({ metadata: z.record(z.string(), z.unknown()).nullish() });

/** What an upload's metadata says about a taken name; without a word, it is left out. */
export function parseConflict(value: unknown): UploadConflict {
	return uploadConflicts.find((each) => each === value) ?? 'skip';
}

const finishing = new Map<string, Promise<void>>();

/**
 * Turns a complete upload into a file: bytes into place, then the row. Can be repeated after a cut-off at any point;
 * two calls at the same moment do it once.
 * @throws AppError FILE_EXISTS (the bytes are dropped: somebody else was first); FOLDER_GONE, QUOTA_EXCEEDED (they are
 * kept: once the folder is restored, or there is room, the finish can be asked for again)
 */
export function finishUpload(deps: Deps, caller: Caller, id: string): Promise<void> {
	const running = finishing.get(id);
	if (running !== undefined) return running;
	const work = finishOnce(deps, caller, id).finally(() => finishing.delete(id));
	finishing.set(id, work);
	return work;
}

async function finishOnce(deps: Deps, caller: Caller, id: string): Promise<void> {
	const upload = await queries.findUpload(deps.db, id);
	if (upload === undefined || upload.finished_at !== null) return;
	const conflict = (await findDescription(deps, id))?.conflict ?? 'skip';
	await orDrop(deps, upload, () => requireWelcome(deps.db, upload, conflict));
	const stored = await deps.storage.adopt(upload.storage_key, join(uploadFolder(deps), upload.id));
	const contentType = await sniff(deps, upload.storage_key, stored.sizeBytes);
	const blob = { id: newId(), storageKey: upload.storage_key, ...stored, contentType };
	await orDrop(deps, upload, () =>
		files.withNameConflict('FILE_EXISTS', upload.name, () =>
			inTransaction(deps.db, async (tx) => {
				await files.lockSpace(tx, upload.owner_id);
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
				// A file is told of by its uploader: without one, nobody put it there.
				if (!(await queries.markUploadFinished(tx, upload.id, nodeId, isoAt(deps.clock))))
					throw new AppError('NOT_FOUND');
				await recordAudit(deps, tx, caller, {
					action: 'file-uploaded',
					subjectKind: 'node',
					subjectId: nodeId,
					detail: { name, size: stored.sizeBytes },
				});
			}),
		),
	);
	await rm(join(uploadFolder(deps), `${upload.id}.json`), { force: true });
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
		if (!(await isCurable(deps.db, upload, error))) await dropUpload(deps, upload);
		throw error;
	}
}

/** Forgets an upload with whatever of it has arrived. */
export async function dropUpload(deps: Deps, upload: queries.UploadRow): Promise<void> {
	await removeChunks(deps, upload.id);
	// Without its row no finish comes to an end; one that came before has a blob, and keeps its bytes.
	await queries.deleteUpload(deps.db, upload.id);
	await removeUploadBytes(deps, { id: upload.id, storageKey: upload.storage_key });
}

/** The same by its name, if it is still there. */
export async function forgetUpload(deps: Deps, id: string): Promise<void> {
	const upload = await queries.findUpload(deps.db, id);
	if (upload !== undefined) await dropUpload(deps, upload);
}

async function removeChunks(deps: Deps, id: string): Promise<void> {
	const chunks = join(uploadFolder(deps), id);
	await rm(chunks, { force: true });
	await rm(`${chunks}.json`, { force: true });
}

/** What an upload has left whose row went with its uploader; a file that came of it in time stays. */
export async function removeUploadBytes(deps: Deps, upload: { id: string; storageKey: string }): Promise<void> {
	await removeChunks(deps, upload.id);
	if (!(await queries.hasBlobUnder(deps.db, upload.storageKey))) await deps.storage.remove(upload.storageKey);
}

/** After a start: finishes what was complete when the process died, and drops what nobody came back for in a week. */
export async function repairUploads(deps: Deps): Promise<void> {
	for (const upload of await queries.listUnfinishedUploads(deps.db)) {
		const isAbandoned = upload.created_at < isoAt(deps.clock, -abandonedAfterSeconds);
		if ((await findDescription(deps, upload.id)) === undefined) {
			if (upload.created_at < isoAt(deps.clock, -neverBegunAfterSeconds)) await dropUpload(deps, upload);
		} else if ((await countArrivedBytes(deps, upload)) === upload.size_bytes) {
			await finishUpload(deps, systemCaller, upload.id).catch(async (error: unknown) => {
				deps.log.warn({ err: error, upload: upload.id }, 'upload not finished');
				if (isAbandoned && error instanceof AppError) await dropUpload(deps, upload);
			});
		} else if (isAbandoned) {
			await dropUpload(deps, upload);
		}
	}
}

export { countArrivedBytes, uploadFolder } from './uploads.chunks.ts';
export { listBegunUploads, listUploadsInto } from './uploads.queries.ts';

async function sniff(deps: Deps, storageKey: string, sizeBytes: number): Promise<string> {
	if (sizeBytes === 0) return 'application/octet-stream';
	const stream = await deps.storage.read(storageKey, { start: 0, end: Math.min(sizeBytes, sniffedBytes) - 1 });
	const chunks: Buffer[] = [];
	for await (const chunk of stream) chunks.push(chunk as Buffer);
	return sniffType(Buffer.concat(chunks));
}
