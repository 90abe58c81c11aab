import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contract } from '#contract/contract.ts';
import { uploadsPath } from '#contract/files/files.ts';
import type { Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { abortOnSessionEnd } from '../../../platform/http/abort-on-session-end.ts';
import { implementEndpoints } from '../../../platform/http/api.ts';
import { copyHeaders } from '../../../platform/http/security-headers.ts';
import { createFairLimiter } from '../../../platform/locking/concurrency-limiter.ts';
import { requireFreeSpace } from '../../../platform/storage/free-space.ts';
import { registerBatchUploads } from './batch-requests.ts';
import type { AuthorisedRequest } from './tus-server.ts';
import { listUnfinishedUploads, trackReceiving } from './unfinished-uploads.ts';
import { createChunkReceiver, parseChunk } from './upload-chunks.ts';
import { createUploadLocker } from './upload-lock.ts';
import * as service from './uploads.service.ts';
import { createWholeUploadHandler } from './whole-upload-requests.ts';
import { createWholeUploads } from './whole-uploads.ts';

const tusVersion = '1.0.0';
/**
 * Uploads that are created at the same time. More would block the event loop for longer. Measured with 40 uploads that
 * begin together: the longest task takes 9 ms of processor time instead of 24, with the same bytes a second.
 */
const creationsMax = 4;

export function uploadRoutes(deps: Deps) {
	return implementEndpoints(contract.uploads, { list: (input, caller) => listUnfinishedUploads(deps, caller, input) });
}

/** Registers resumable uploads of admins by tus 1.0.0 (tus.io): creation, chunks, termination. */
export function registerUploads(app: FastifyInstance, deps: Deps): void {
	const authorisedRequests = new AsyncLocalStorage<AuthorisedRequest>();
	const [store, locker] = [service.createUploadStore(deps), createUploadLocker(deps)];
	let tus: Promise<Server> | undefined;
	// tus loads Node's fetch: 10 ms of processor time.
	const loadTus = () => {
		tus ??= import('./tus-server.ts').then(({ createTusServer }) =>
			createTusServer(deps, authorisedRequests, store, locker),
		);
		return tus;
	};
	const creations = createFairLimiter(creationsMax);
	const receiveChunk = createChunkReceiver(deps, store, locker);
	const storeWholeUpload = createWholeUploads(deps);
	const receiveWholeUpload = createWholeUploadHandler(deps, storeWholeUpload, locker);
	registerBatchUploads(app, deps, storeWholeUpload);

	// tus reads the bytes itself, so no parser may consume them.
	app.addContentTypeParser('application/offset+octet-stream', (_request, _payload, done) => done(null));

	const prepareToReceive = async (request: FastifyRequest, reply: FastifyReply, uploadId?: string): Promise<void> => {
		await abortOnSessionEnd(deps, request, reply, () => request.raw.destroy());
		if (uploadId !== undefined && request.method === 'PATCH') trackReceiving(deps, uploadId, reply.raw);
	};
	const forwardToTus = async (request: FastifyRequest, reply: FastifyReply, uploadId?: string): Promise<void> => {
		await prepareToReceive(request, reply, uploadId);
		const tus = await loadTus();
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
			// Not limited, because a body may arrive slowly, and other creations would wait for it.
			if (chunkBytes > 0 || request.headers['transfer-encoding'] !== undefined) return forwardToTus(request, reply);
			return creations.run(request.caller.actor?.userId ?? '', () => forwardToTus(request, reply));
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
