import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type DataStore, ERRORS, type Locker, TUS_RESUMABLE } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { UploadRow } from './uploads.queries.ts';
import * as service from './uploads.service.ts';
import { tusHeaders } from './whole-upload-requests.ts';

/** A request that has to give up its lock may continue for this time, as in `@tus/server`. */
const drainMs = 3000;

interface UploadChunk {
	offset: number;
	sizeBytes: number;
}

/** Returns the position of a valid chunk; null for all other requests, which `@tus/server` handles. */
export function parseChunk(headers: IncomingHttpHeaders, upload: UploadRow): UploadChunk | null {
	const isPlain =
		headers['tus-resumable'] === TUS_RESUMABLE &&
		headers['content-type'] === 'application/offset+octet-stream' &&
		['upload-length', 'upload-metadata', 'upload-concat', 'upload-defer-length'].every((name) => !(name in headers));
	const [offset, sizeBytes] = [headers['upload-offset'], headers['content-length']].map((value) =>
		/^\d{1,15}$/u.test(String(value)) ? Number(value) : Number.NaN,
	);
	if (!isPlain || offset === undefined || sizeBytes === undefined) return null;
	return sizeBytes > 0 && offset + sizeBytes <= upload.size_bytes ? { offset, sizeBytes } : null;
}

/**
 * Creates the handler of valid chunks. It answers as `@tus/server` does, but reads the request directly, because the web
 * streams of `@tus/server` copy each piece. Measured with 200 MB, including the hashing thread: 0.65 s of processor time
 * instead of 1.4.
 */
export function createChunkReceiver(deps: Deps, store: DataStore, locker: Locker) {
	/** @throws AppError UPLOAD_OFFSET, UPLOAD_LOCKED, and the errors of a finish */
	async function receive({ raw, caller }: FastifyRequest, { id, size_bytes }: UploadRow, chunk: UploadChunk) {
		const unlock = await lockUpload(locker, id, raw);
		let offset: number;
		try {
			const upload = await service.requireUpload(deps, caller, id);
			const isFinished = upload.finished_at !== null;
			if (isFinished || (await service.countArrivedBytes(deps, upload)) !== chunk.offset)
				throw new AppError('UPLOAD_OFFSET');
			offset = await store.write(raw, id, chunk.offset);
		} finally {
			await unlock();
		}
		if (offset === size_bytes) await service.finishUpload(deps, caller, id);
		return offset;
	}

	return async (request: FastifyRequest, reply: FastifyReply, upload: UploadRow, chunk: UploadChunk) => {
		try {
			reply.headers(tusHeaders(deps));
			const offset = await receive(request, upload, chunk);
			return reply.code(204).header('upload-offset', String(offset)).send();
		} catch (error) {
			if (request.raw.readableEnded) throw error;
			// The connection is lost, or the rest of the chunk is not read.
			deps.log.info({ upload: upload.id, cause: String(error) }, 'upload ended');
			// Not `request.raw.destroyed`: a failed write destroys the request, but not its connection.
			if (reply.raw.destroyed || reply.raw.socket?.destroyed) return reply.hijack();
			reply.header('connection', 'close');
			throw error;
		}
	};
}

/** Waits for the lock of an upload. A later request that waits for it ends this one. @returns the function to release it */
async function lockUpload(locker: Locker, id: string, request: IncomingMessage): Promise<() => Promise<void>> {
	const waiting = new AbortController();
	const stopWaiting = () => waiting.abort();
	let drain: NodeJS.Timeout | undefined;
	request.once('close', stopWaiting);
	const lock = locker.newLock(id);
	try {
		await lock.lock(waiting.signal, () => {
			drain ??= setTimeout(() => request.destroy(), drainMs);
		});
	} catch (error) {
		throw error === ERRORS.ERR_LOCK_TIMEOUT ? new AppError('UPLOAD_LOCKED') : error;
	}
	return async () => {
		clearTimeout(drain);
		await lock.unlock();
	};
}
