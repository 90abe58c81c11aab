import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { type DataStore, ERRORS, type Locker, Server } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contract } from '#contract/contract.ts';
import { uploadsPath } from '#contract/files/files.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { abortOnSessionEnd } from '../../../platform/http/abort-on-session-end.ts';
import { implementEndpoints } from '../../../platform/http/api.ts';
import { errorBodyOf, toAppError } from '../../../platform/http/errors.ts';
import { copyHeaders } from '../../../platform/http/security-headers.ts';
import { isStorageUnavailable } from '../../../platform/log.ts';
import { requireFreeSpace } from '../../../platform/storage/free-space.ts';
import { listUnfinishedUploads, trackReceiving } from './unfinished-uploads.ts';
import { createChunkReceiver, parseChunk } from './upload-chunks.ts';
import { createUploadLocker } from './upload-lock.ts';
import * as service from './uploads.service.ts';
import { createWholeUploadHandler, toNewUpload, uploadIdOf } from './whole-upload-requests.ts';

const tusVersion = '1.0.0';

export function uploadRoutes(deps: Deps) {
	return implementEndpoints(contract.uploads, { list: (input, caller) => listUnfinishedUploads(deps, caller, input) });
}

/** Registers resumable uploads of admins by tus 1.0.0 (tus.io): creation, chunks, termination. */
export function registerUploads(app: FastifyInstance, deps: Deps): void {
	const authorisedRequests = new AsyncLocalStorage<AuthorisedRequest>();
	const [store, locker] = [service.createUploadStore(deps), createUploadLocker(deps)];
	const tus = createTusServer(deps, authorisedRequests, store, locker);
	const receiveChunk = createChunkReceiver(deps, store, locker);
	const receiveWholeUpload = createWholeUploadHandler(deps);

	// tus reads the bytes itself, so no parser may consume them.
	app.addContentTypeParser('application/offset+octet-stream', (_request, _payload, done) => done(null));

	const prepareToReceive = async (request: FastifyRequest, reply: FastifyReply, uploadId?: string): Promise<void> => {
		await abortOnSessionEnd(deps, request, reply, () => request.raw.destroy());
		if (uploadId !== undefined && request.method === 'PATCH') trackReceiving(deps, uploadId, reply.raw);
	};
	const forwardToTus = async (request: FastifyRequest, reply: FastifyReply, uploadId?: string): Promise<void> => {
		await prepareToReceive(request, reply, uploadId);
		reply.hijack();
		reply.removeHeader('content-type');
		copyHeaders(reply);
		await authorisedRequests.run({ caller: request.caller, uploadId, answer: reply.raw }, () =>
			tus.handle(request.raw, reply.raw),
		);
	};

	const config = { access: 'admin', isHeld: true } as const;
	app.route({
		method: ['POST', 'OPTIONS'],
		url: uploadsPath,
		config,
		handler: async (request, reply) => {
			// A small file is sent whole with its creation request (tus's creation-with-upload).
			const chunkBytes = Number(request.headers['content-length'] ?? 0);
			if (chunkBytes > 0) deps.log.info({ offset: 0, chunkBytes }, 'upload chunk');
			if (request.method === 'POST' && (await receiveWholeUpload(request, reply))) return reply;
			return forwardToTus(request, reply);
		},
	});
	app.route<{ Params: { id: string } }>({
		method: ['HEAD', 'PATCH', 'DELETE', 'OPTIONS'],
		url: `${uploadsPath}/:id`,
		config,
		handler: async (request, reply) => {
			if (request.method === 'OPTIONS') return forwardToTus(request, reply);
			const upload = await service.requireUpload(deps, request.caller, request.params.id);
			if (upload.finished_at !== null) {
				if (request.method === 'HEAD') return sendFinished(reply, upload.size_bytes);
				// The upload is already a file: it cannot be cancelled, and no byte is missing.
				throw new AppError(request.method === 'PATCH' ? 'UPLOAD_OFFSET' : 'NOT_FOUND');
			}
			if (request.method !== 'PATCH' && !(await service.isUploadReady(deps, upload))) {
				await service.discardUpload(deps, upload);
				throw new AppError('NOT_FOUND');
			}
			if (request.method === 'HEAD' && (await service.countArrivedBytes(deps, upload)) === upload.size_bytes) {
				// All bytes have arrived but are not a file yet: the process was killed, or the finish was refused.
				if (await tryFinish(deps, request.caller, upload.id)) return sendFinished(reply, upload.size_bytes);
			}
			if (request.method === 'PATCH') {
				const arrived = await service.countArrivedBytes(deps, upload);
				const chunkBytes = Number(request.headers['content-length'] ?? upload.size_bytes - arrived);
				await requireFreeSpace(deps.storage, chunkBytes);
				deps.log.info(
					{ upload: upload.id, offset: Number(request.headers['upload-offset']), chunkBytes },
					'upload chunk',
				);
			}
			const chunk = request.method === 'PATCH' ? parseChunk(request.headers, upload) : null;
			if (chunk === null) return forwardToTus(request, reply, upload.id);
			await prepareToReceive(request, reply, upload.id);
			return receiveChunk(request, reply, upload, chunk);
		},
	});
}

/** @returns false when bytes are missing and the upload has to start again */
async function tryFinish(deps: Deps, caller: Caller, id: string): Promise<boolean> {
	try {
		await service.finishUpload(deps, caller, id);
		return true;
	} catch (error) {
		if (error instanceof AppError && error.code === 'UPLOAD_OFFSET') return false;
		throw error;
	}
}

function sendFinished(reply: FastifyReply, sizeBytes: number): FastifyReply {
	return reply
		.code(200)
		.headers({ 'tus-resumable': tusVersion, 'upload-offset': String(sizeBytes), 'upload-length': String(sizeBytes) })
		.send();
}

/** The authorised caller and upload. The upload id that tus would read from the URL is ignored. */
interface AuthorisedRequest {
	caller: Caller;
	/** Undefined while the upload is being created. */
	uploadId: string | undefined;
	answer: ServerResponse;
}

function createTusServer(
	deps: Deps,
	authorised: AsyncLocalStorage<AuthorisedRequest>,
	datastore: DataStore,
	locker: Locker,
): Server {
	const findCaller = () => authorised.getStore()?.caller;
	const requireCaller = () => {
		const caller = findCaller();
		if (caller === undefined) throw new Error('No caller is known for this upload request.');
		return caller;
	};
	return new Server({
		path: uploadsPath,
		datastore,
		locker,
		relativeLocation: true,
		allowedOrigins: [deps.config.PUBLIC_URL],
		namingFunction: (_request, metadata) => uploadIdOf(metadata),
		getFileIdFromRequest: () => authorised.getStore()?.uploadId,
		onUploadCreate: async (_request, upload) => {
			await service.beginUpload(deps, requireCaller(), upload.id, toNewUpload(upload.metadata, upload.size));
			return {};
		},
		onUploadFinish: async (_request, upload) => {
			await service.finishUpload(deps, requireCaller(), upload.id);
			return {};
		},
		onResponseError: (_request, error) => {
			const { retryAfterSeconds, ...answer } = responseOf(error, findCaller()?.locale ?? 'en');
			const { status_code: status } = answer;
			if (retryAfterSeconds !== undefined)
				authorised.getStore()?.answer.setHeader('retry-after', String(retryAfterSeconds));
			if (isUnexpected(status, error)) deps.log.error({ err: error }, 'upload failed');
			else deps.log.info({ status, cause: String(error) }, 'upload ended');
			return answer;
		},
	});
}

/** Whether an error is unexpected: not a broken connection, unknown extension or unavailable store. */
function isUnexpected(status: number, error: unknown): boolean {
	const { name, code, message } = error as { name?: string; code?: string; message?: string };
	if (status < 500 || status === 501 || isStorageUnavailable(error)) return false;
	if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') return false;
	return name !== 'AbortError' && message !== 'aborted';
}

/** Returns errors of tus unchanged, except a lock timeout. All others become an error body in the caller's language. */
function responseOf(error: unknown, locale: 'en' | 'hi') {
	const { status_code, body } = error as { status_code?: number; body?: string };
	const isLocked = error === ERRORS.ERR_LOCK_TIMEOUT;
	if (status_code !== undefined && body !== undefined && !isLocked) return { status_code, body };
	const failure = isLocked ? new AppError('UPLOAD_LOCKED') : toAppError(error);
	const { status, retryAfterSeconds } = failure;
	return { status_code: status, body: JSON.stringify(errorBodyOf(failure, locale)), retryAfterSeconds };
}
