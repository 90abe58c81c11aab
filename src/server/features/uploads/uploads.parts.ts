import type { Readable } from 'node:stream';
import { DataStore, Upload } from '@tus/server';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { hashBytes } from '../../platform/storage/hash-bytes.ts';
import type { MultipartStorage } from '../../platform/storage/storage.ts';
import { parseConflict, type UploadBytes } from './uploads.bytes.ts';
import { createPartWriter, PartsGoneError, positionOf } from './uploads.part-writer.ts';
import * as partQueries from './uploads.parts.queries.ts';
import { readPatiently } from './uploads.pieces.ts';
import * as queries from './uploads.queries.ts';

const pauseMs = 1000;

/**
 * Uploads gather on the store itself: in parts of one multipart upload, put together at the finish, and what is too
 * little for a part in an object of its own, the tail. What counts stands in the database, so that any process can go
 * on; see docs/decisions/0017.
 */
export const storeBytes: UploadBytes = {
	createStore: (deps, forget) => new PartStore(deps, forget),

	countArrived: async (_deps, upload) => upload.arrived_bytes,

	findDescription: async (_deps, upload) => ({ conflict: parseConflict(upload.conflict) }),

	async gather(deps, upload) {
		const { id, storage_key: key, size_bytes: sizeBytes, multipart_id: handle } = upload;
		if (sizeBytes === 0) return deps.storage.put(key, Buffer.alloc(0));
		return orBeginAnew(
			deps,
			upload,
			() => positionOf(upload),
			async () => {
				const stored =
					handle === null
						? await hashBytes(await deps.storage.read(key))
						: await multipartOf(deps).complete(key, handle, await partQueries.listParts(deps.db, id));
				if (stored.sizeBytes !== sizeBytes)
					throw new Error(`Upload ${id} has ${stored.sizeBytes} bytes on the store instead of ${sizeBytes}.`);
				return stored;
			},
		);
	},

	async forget(deps, { storageKey, multipartId, tailKey }) {
		if (multipartId != null) await multipartOf(deps).abort(storageKey, multipartId);
		if (tailKey != null) await deps.storage.remove(tailKey);
	},
};

class PartStore extends DataStore {
	override extensions = ['creation', 'creation-with-upload', 'termination'];
	readonly #deps: Deps;
	readonly #forget: (id: string) => Promise<void>;

	constructor(deps: Deps, forget: (id: string) => Promise<void>) {
		super();
		this.#deps = deps;
		this.#forget = forget;
	}

	override async getUpload(id: string): Promise<Upload> {
		const upload = await requireUnfinished(this.#deps, id);
		return new Upload({
			id,
			size: upload.size_bytes,
			offset: upload.arrived_bytes,
			metadata: { filename: upload.name },
			creation_date: upload.created_at,
		});
	}

	override write(source: Readable, id: string, offset: number): Promise<number> {
		return receive(this.#deps, source, id, offset);
	}

	override remove(id: string): Promise<void> {
		return this.#forget(id);
	}
}

/** Takes bytes until they end or the line breaks: what came before a break counts too. @returns the new offset */
async function receive(deps: Deps, source: Readable, id: string, offset: number): Promise<number> {
	const upload = await requireUnfinished(deps, id);
	if (upload.arrived_bytes !== offset) throw new AppError('UPLOAD_OFFSET');
	const writer = createPartWriter(deps, multipartOf(deps), upload);
	return orBeginAnew(deps, upload, writer.position, async () => {
		try {
			const cut = await hear(readPatiently(source, pauseMs), writer.add);
			const arrived = await writer.end();
			if (cut !== null) throw cut.error;
			return arrived;
		} finally {
			writer.close();
		}
	});
}

/** @returns how the line broke, or null. @throws what `add` throws */
async function hear(
	pieces: AsyncGenerator<Buffer | null>,
	add: (piece: Buffer | null) => Promise<void>,
): Promise<{ error: unknown } | null> {
	try {
		for (;;) {
			const next = await pieces.next().catch((error: unknown) => ({ error }));
			if ('error' in next) return next;
			if (next.done === true) return null;
			await add(next.value);
		}
	} finally {
		await pieces.return(undefined);
	}
}

async function requireUnfinished(deps: Deps, id: string): Promise<queries.UploadRow> {
	const upload = await queries.findUpload(deps.db, id);
	if (upload === undefined) throw new AppError('NOT_FOUND');
	if (upload.finished_at !== null) throw new AppError('UPLOAD_OFFSET');
	return upload;
}

/**
 * A store may have dropped parts that lay for long, and a database may have been put back beside another store. Only
 * where the upload still stands where the caller has seen it: else another process is at it, or has finished it.
 */
async function orBeginAnew<T>(
	deps: Deps,
	upload: queries.UploadRow,
	findPosition: () => partQueries.UploadPosition,
	work: () => Promise<T>,
): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (!isGone(error)) throw error;
		if (await beginAnew(deps, upload.id, findPosition()))
			deps.log.warn({ upload: upload.id, err: error }, 'bytes of an upload are gone from the store: it begins anew');
		throw new AppError('UPLOAD_OFFSET', { cause: error });
	}
}

async function beginAnew(deps: Deps, id: string, from: partQueries.UploadPosition): Promise<boolean> {
	const none = { arrived_bytes: 0, multipart_id: null, tail_key: null, tail_bytes: 0, next_part: 1 };
	const isDone = await inTransaction(deps.db, async (tx) => {
		if (!(await partQueries.moveUploadOn(tx, id, from, none))) return false;
		await partQueries.deleteParts(tx, id);
		return true;
	});
	if (isDone) await storeBytes.forget(deps, { id, ...from });
	return isDone;
}

function isGone(error: unknown): boolean {
	const { name, code } = error as { name?: string; code?: string };
	return error instanceof PartsGoneError || code === 'ENOENT' || name === 'NoSuchUpload';
}

function multipartOf(deps: Deps): MultipartStorage {
	if (deps.storage.multipart === null) throw new Error('This storage takes no parts.');
	return deps.storage.multipart;
}
