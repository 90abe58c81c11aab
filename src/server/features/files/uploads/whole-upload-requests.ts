import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { EXPOSED_HEADERS, type Locker, Metadata, TUS_RESUMABLE } from '@tus/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#contract/core/limits.ts';
import { uploadsPath } from '#contract/files/files.ts';
import { uploadConflicts } from '#contract/files/uploads.ts';
import type { Deps } from '../../../platform/deps.ts';
import { yieldToEventLoop } from '../../../platform/event-loop.ts';
import { abortOnSessionEnd } from '../../../platform/http/abort-on-session-end.ts';
import { newTimedId } from '../../../platform/ids.ts';
import { createByteSemaphore } from '../../../platform/locking/concurrency-limiter.ts';
import { appendUploadBytes, beginUpload, type NewUpload } from './uploads.service.ts';
import type { createWholeUploads } from './whole-uploads.ts';

/** Memory for the bodies of all requests of this process; `@tus/server` writes further uploads to the disk. */
const bodiesMaxBytes = 32 * 1024 * 1024;
/** The format of ids made by `newId` and `newTimedId`. */
const isId = /^[\w-]{22}$/u;

type UploadMetadata = Record<string, string | null>;

/** Returns the upload's id, which the browser chooses to find an upload whose creation response was lost. */
export function uploadIdOf(metadata: UploadMetadata = {}): string {
	return isId.test(metadata.id ?? '') ? String(metadata.id) : newTimedId();
}

/** The headers of every answer of `@tus/server`, for requests that are handled without it. */
export function tusHeaders({ config }: Deps) {
	return {
		'tus-resumable': TUS_RESUMABLE,
		'access-control-allow-origin': config.PUBLIC_URL,
		'access-control-expose-headers': EXPOSED_HEADERS,
	};
}

export function toNewUpload(metadata: UploadMetadata = {}, sizeBytes: number | undefined): NewUpload {
	const { owner, path, filename, modified, conflict } = metadata;
	return {
		owner: owner ?? '',
		path: path ?? '',
		name: filename ?? '',
		sizeBytes,
		conflict: uploadConflicts.find((known) => known === conflict),
		modifiedMs: /^\d{1,15}$/u.test(modified ?? '') ? Number(modified) : null,
	};
}

/**
 * Returns the size and metadata of a valid creation request that contains the whole of a small file; null for all other
 * requests, which `@tus/server` handles.
 */
function parseWholeUpload(headers: IncomingHttpHeaders): { sizeBytes: number; metadata: UploadMetadata } | null {
	const length = headers['content-length'] ?? '';
	const isWhole =
		headers['tus-resumable'] === TUS_RESUMABLE &&
		headers['content-type'] === 'application/offset+octet-stream' &&
		/^[1-9]\d{0,8}$/u.test(length) &&
		headers['upload-length'] === length &&
		Number(length) <= limits.uploadFirstChunkBytes;
	const hasOtherHeaders =
		['upload-concat', 'upload-defer-length', 'tus-version'].some((name) => headers[name] !== undefined) ||
		!['0', undefined].includes(headers['upload-offset'] as string | undefined) ||
		// `@tus/server` refuses other protocols (HeaderValidator).
		!['http', 'https', undefined].includes(headers['x-forwarded-proto'] as string | undefined);
	if (!isWhole || hasOtherHeaders) return null;
	try {
		return { sizeBytes: Number(length), metadata: Metadata.parse(String(headers['upload-metadata'])) };
	} catch {
		return null;
	}
}

/**
 * Creates the handler of creation requests that contain a whole small file (tus's creation-with-upload). It reads the
 * body into memory and answers as `@tus/server` does, when the file is durable.
 * @returns a function that returns false, without an answer, for other requests and when too many bytes are in memory
 */
export function createWholeUploadHandler(
	deps: Deps,
	storeUpload: ReturnType<typeof createWholeUploads>,
	locker: Locker,
) {
	const memory = createByteSemaphore(bodiesMaxBytes);

	async function receive(
		request: FastifyRequest,
		reply: FastifyReply,
		{ sizeBytes, metadata }: { sizeBytes: number; metadata: UploadMetadata },
	): Promise<FastifyReply> {
		const [id, input] = [uploadIdOf(metadata), toNewUpload(metadata, sizeBytes)];
		reply.headers(tusHeaders(deps));
		// A body that arrives together with its headers is complete after this.
		await yieldToEventLoop();
		let hasSessionEnded = false;
		const endRequest = () => {
			hasSessionEnded = true;
			request.raw.destroy();
		};
		if (!request.raw.complete) await abortOnSessionEnd(deps, request, reply, endRequest);
		const bytes = await readBody(request.raw);
		if (bytes.length < sizeBytes) {
			if (!hasSessionEnded && bytes.length > 0) await keepForResuming(id, input, request, bytes);
			return reply.hijack();
		}
		await storeUpload(request.caller, id, input, bytes);
		return reply
			.code(201)
			.headers({ 'upload-offset': String(sizeBytes), location: `${uploadsPath}/${id}`, 'content-length': '0' })
			.send();
	}

	/** Stores the first bytes of an upload whose connection was lost, so that the client can send the others. */
	async function keepForResuming(id: string, input: NewUpload, { caller }: FastifyRequest, bytes: Buffer) {
		const lock = locker.newLock(id);
		const store = async () => {
			await beginUpload(deps, caller, id, input);
			await appendUploadBytes(deps, id, Readable.from([bytes]));
		};
		try {
			await lock.lock(new AbortController().signal, () => {});
			await store().finally(() => lock.unlock());
		} catch (error) {
			deps.log.info({ cause: String(error) }, 'upload ended');
		}
	}

	return async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
		const upload = parseWholeUpload(request.headers);
		if (upload === null || !memory.tryAcquire(upload.sizeBytes)) return false;
		await receive(request, reply, upload).finally(() => memory.release(upload.sizeBytes));
		return true;
	};
}

/** Reads a body. If the connection is lost, returns the bytes that were received. */
function readBody(request: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	return new Promise((resolve) => {
		const end = () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.once('end', end).once('error', end).once('close', end);
		if (request.destroyed) end();
	});
}
