import { AsyncLocalStorage } from 'node:async_hooks';
import { FileStore } from '@tus/file-store';
import { EVENTS, MemoryLocker, Server } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { uploadsPath } from '#contract/files/files.ts';
import type { Caller } from '../../platform/actor.ts';
import type { Deps } from '../../platform/deps.ts';
import { errorBodyOf, toAppError } from '../../platform/http/errors.ts';
import { copyHeaders } from '../../platform/http/headers.ts';
import { newId } from '../../platform/ids.ts';
import * as service from './uploads.service.ts';

const tusVersion = '1.0.0';

/** Resumable uploads by tus 1.0.0 (tus.io): creation, chunks, termination. Admins only; every request is authorised. */
export function registerUploads(app: FastifyInstance, deps: Deps): void {
	const callers = new AsyncLocalStorage<Caller>();
	const tus = createTusServer(deps, () => callers.getStore());

	// The bytes are tus's to read: no parser may touch them.
	app.addContentTypeParser('application/offset+octet-stream', (_request, _payload, done) => done(null));

	const hand = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
		reply.hijack();
		reply.removeHeader('content-type');
		copyHeaders(reply);
		const { actor } = request.caller;
		const forget =
			actor === null
				? () => {}
				: deps.live.add({ sessionId: actor.sessionId, userId: actor.userId, end: () => request.raw.destroy() });
		reply.raw.once('close', forget);
		await callers.run(request.caller, () => tus.handle(request.raw, reply.raw));
	};

	const config = { access: 'admin' } as const;
	app.route({ method: ['POST', 'OPTIONS'], url: uploadsPath, config, handler: hand });
	app.route<{ Params: { id: string } }>({
		method: ['HEAD', 'PATCH', 'DELETE', 'OPTIONS'],
		url: `${uploadsPath}/:id`,
		config,
		handler: async (request, reply) => {
			if (request.method === 'OPTIONS') return hand(request, reply);
			const upload = await service.requireUpload(deps, request.caller, request.params.id);
			if (
				upload.finished_at === null &&
				request.method === 'HEAD' &&
				(await service.countArrivedBytes(deps, upload)) === upload.size_bytes
			) {
				// All bytes came, but the process died before the file was made of them.
				await service.finishUpload(deps, request.caller, upload.id);
				return sendFinished(reply, upload.size_bytes);
			}
			if (upload.finished_at !== null) return sendFinished(reply, upload.size_bytes);
			if (request.method === 'PATCH') {
				const chunkBytes = Number(request.headers['content-length'] ?? 0);
				await service.requireRoom(deps, chunkBytes);
				deps.log.info(
					{ upload: upload.id, offset: Number(request.headers['upload-offset']), chunkBytes },
					'upload chunk',
				);
			}
			return hand(request, reply);
		},
	});
}

/** The answer for an upload that has become a file: nothing is missing. */
function sendFinished(reply: FastifyReply, sizeBytes: number): FastifyReply {
	return reply
		.code(200)
		.headers({ 'tus-resumable': tusVersion, 'upload-offset': String(sizeBytes), 'upload-length': String(sizeBytes) })
		.send();
}

function createTusServer(deps: Deps, findCaller: () => Caller | undefined): Server {
	const requireCaller = () => {
		const caller = findCaller();
		if (caller === undefined) throw new Error('An upload without a caller.');
		return caller;
	};
	const server = new Server({
		path: uploadsPath,
		datastore: new FileStore({ directory: service.uploadFolder(deps) }),
		locker: new MemoryLocker(),
		relativeLocation: true,
		allowedOrigins: [deps.config.PUBLIC_URL],
		namingFunction: () => newId(),
		disableTerminationForFinishedUploads: true,
		onUploadCreate: async (_request, upload) => {
			const { owner = '', path = '', filename = '' } = upload.metadata ?? {};
			await service
				.beginUpload(deps, requireCaller(), upload.id, {
					owner: owner ?? '',
					path: path ?? '',
					name: filename ?? '',
					sizeBytes: upload.size,
				})
				.catch(rethrowForTus(findCaller));
			return {};
		},
		onUploadFinish: async (_request, upload) => {
			await service.finishUpload(deps, requireCaller(), upload.id).catch(rethrowForTus(findCaller));
			return {};
		},
		onResponseError: (_request, error) => {
			const { status_code: status = 500 } = error as { status_code?: number };
			if (status >= 500) deps.log.error({ err: error }, 'upload failed');
			return undefined;
		},
	});
	server.on(EVENTS.POST_TERMINATE, (_request, _response, id) => {
		service
			.requireUpload(deps, requireCaller(), id)
			.then((upload) => service.dropUpload(deps, upload))
			.catch((error: unknown) => deps.log.warn({ err: error, upload: id }, 'canceled upload not dropped'));
	});
	return server;
}

/** tus sends what is thrown as `{status_code, body}`: our own body, in the caller's language. */
function rethrowForTus(findCaller: () => Caller | undefined) {
	return (error: unknown): never => {
		const failure = toAppError(error);
		throw {
			status_code: failure.status,
			body: JSON.stringify(errorBodyOf(failure, findCaller()?.locale ?? 'en')),
			cause: error,
		};
	};
}
