import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { DataStore, Upload } from '@tus/server';
import { AppError, required } from '../../../../platform/app-error.ts';
import { inTransaction } from '../../../../platform/database/transaction.ts';
import type { Deps } from '../../../../platform/deps.ts';
import type { MultipartStorage } from '../../../../platform/storage/storage.ts';
import * as queries from '../uploads.queries.ts';
import { localUploadStorage, type UploadStorage } from './local-upload-storage.ts';
import { createPartWriter, PartsMissingError, uploadPositionOf } from './part-writer.ts';
import { releaseReceived } from './received-bytes.ts';
import * as partQueries from './storage.queries.ts';

const idleTickMs = 1000;

/** Returns the driver: multipart uploads of a remote store, or a local folder. */
export function uploadStorageOf(deps: Deps): UploadStorage {
	return deps.storage.multipart === null ? localUploadStorage : multipartUploadStorage;
}

/**
 * Stores uploads as multipart uploads of the remote store. Bytes that are too few for a part are stored in a separate
 * object, the tail. The state is in the database, so that any process can continue (docs/decisions/0017).
 */
const multipartUploadStorage: UploadStorage = {
	createStore: (deps) => new PartStore(deps),

	countArrivedBytes: async (_deps, upload) => upload.arrived_bytes,

	isReady: async () => true,

	async assemble(deps, upload) {
		const { id, storage_key: key, size_bytes: sizeBytes, multipart_id: handle } = upload;
		if (sizeBytes === 0) return deps.storage.put(key, Buffer.alloc(0));
		return restartWhenPartsMissing(
			deps,
			upload,
			() => uploadPositionOf(upload),
			async () => {
				const stored =
					handle === null
						? await deps.storage.hash(key)
						: await requireMultipartStorage(deps).complete(key, handle, await partQueries.listParts(deps.db, id));
				if (stored.sizeBytes !== sizeBytes)
					throw new Error(`Upload ${id} has ${stored.sizeBytes} bytes on the store instead of ${sizeBytes}.`);
				return stored;
			},
		);
	},

	async forget(deps, { storageKey, multipartId, tailKey }) {
		if (multipartId != null) await requireMultipartStorage(deps).abort(storageKey, multipartId);
		if (tailKey != null) await deps.storage.remove([tailKey]);
	},
};

class PartStore extends DataStore {
	override extensions = ['creation', 'creation-with-upload', 'termination'];
	readonly #deps: Deps;

	constructor(deps: Deps) {
		super();
		this.#deps = deps;
	}

	override async getUpload(id: string): Promise<Upload> {
		const upload = await getUnfinishedUpload(this.#deps, id);
		return new Upload({
			id,
			size: upload.size_bytes,
			offset: upload.arrived_bytes,
			metadata: { filename: upload.name },
			creation_date: upload.created_at,
		});
	}

	override write(source: Readable, id: string, offset: number): Promise<number> {
		return receiveBytes(this.#deps, source, id, offset);
	}
}

/** Stores bytes until the stream ends or fails; keeps the bytes before a failure. @returns the new offset */
async function receiveBytes(deps: Deps, source: Readable, id: string, offset: number): Promise<number> {
	const upload = await getUnfinishedUpload(deps, id);
	if (upload.arrived_bytes !== offset) throw new AppError('UPLOAD_OFFSET');
	const writer = createPartWriter(deps, requireMultipartStorage(deps), upload);
	return restartWhenPartsMissing(deps, upload, writer.position, async () => {
		try {
			const failure = await writeChunks(readWithIdleTicks(source, idleTickMs), async (piece) => {
				await writer.add(piece);
				if (piece !== null) releaseReceived(source, piece);
			});
			const arrived = await writer.end();
			if (failure !== null) throw failure.error;
			return arrived;
		} finally {
			writer.close();
		}
	});
}

/** @returns the error of the connection, or null @throws the errors of `add` */
async function writeChunks(chunks: AsyncGenerator<Buffer | null>, add: (piece: Buffer | null) => Promise<void>) {
	try {
		for (;;) {
			const next = await chunks.next().catch((error: unknown) => ({ error }));
			if ('error' in next) return next;
			if (next.done === true) return null;
			await add(next.value);
		}
	} finally {
		await chunks.return(undefined);
	}
}

async function getUnfinishedUpload(deps: Deps, id: string): Promise<queries.UploadRow> {
	const upload = required(await queries.findUpload(deps.db, id), 'NOT_FOUND');
	if (upload.finished_at !== null) throw new AppError('UPLOAD_OFFSET');
	return upload;
}

/**
 * Runs the work. If bytes of the upload are missing in the store, for example after a restore of the database, the
 * upload restarts from the first byte. It does not restart if its position has changed, because then another process is
 * receiving or has finished it.
 * @throws AppError UPLOAD_OFFSET when bytes are missing, so that the client asks for the new offset
 */
async function restartWhenPartsMissing<T>(
	deps: Deps,
	upload: queries.UploadRow,
	findPosition: () => partQueries.UploadPosition,
	work: () => Promise<T>,
): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (!arePartsMissing(error)) throw error;
		if (await restartUpload(deps, upload.id, findPosition()))
			deps.log.warn(
				{ upload: upload.id, err: error },
				'bytes of an upload are missing in the store: the upload starts again',
			);
		throw new AppError('UPLOAD_OFFSET', { cause: error });
	}
}

async function restartUpload(deps: Deps, id: string, from: partQueries.UploadPosition): Promise<boolean> {
	const none = { arrived_bytes: 0, multipart_id: null, tail_key: null, tail_bytes: 0, next_part: 1 };
	const isDone = await inTransaction(deps.db, async (tx) => {
		if (!(await partQueries.advanceUpload(tx, id, from, none))) return false;
		await partQueries.deleteParts(tx, id);
		return true;
	});
	if (isDone) await multipartUploadStorage.forget(deps, { id, ...from });
	return isDone;
}

function arePartsMissing(error: unknown): boolean {
	const { name, code } = error as { name?: string; code?: string };
	return error instanceof PartsMissingError || code === 'ENOENT' || name === 'NoSuchUpload';
}

function requireMultipartStorage(deps: Deps): MultipartStorage {
	if (deps.storage.multipart === null) throw new Error('This storage does not support multipart uploads.');
	return deps.storage.multipart;
}

/**
 * Yields the bytes of a stream, and null whenever none arrived for `pauseMs`. Destroys the stream at the end, unless it is
 * a request.
 */
export async function* readWithIdleTicks(source: Readable, pauseMs: number): AsyncGenerator<Buffer | null> {
	const chunks: AsyncIterator<Buffer> = source[Symbol.asyncIterator]();
	try {
		for (;;) {
			const next = chunks.next();
			// The rejection is handled below; it must not be reported as unhandled meanwhile.
			next.catch(() => {});
			let result = await nullAfter(next, pauseMs);
			while (result === null) {
				yield null;
				result = await nullAfter(next, pauseMs);
			}
			if (result.done === true) return;
			yield result.value;
		}
	} finally {
		// A request would close its connection, before the error is sent.
		if (!(source instanceof IncomingMessage)) source.destroy();
	}
}

function nullAfter<T>(work: Promise<T>, ms: number): Promise<T | null> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(resolve, ms, null);
		work.then(resolve, reject).finally(() => clearTimeout(timer));
	});
}
