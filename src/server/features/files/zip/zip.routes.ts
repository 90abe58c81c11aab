import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { limits } from '#contract/core/limits.ts';
import { zipDownloadPath, zipDownloadQuery } from '#contract/files/files.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { abortOnSessionEnd } from '../../../platform/http/abort-on-session-end.ts';
import { attachmentDisposition } from '../../../platform/http/responses/send-bytes.ts';
import { createKeyedSemaphore } from '../../../platform/locking/concurrency-limiter.ts';
import { openZipDownload } from './zip.service.ts';

/** Registers `GET /api/archive?ids=…`, which streams nodes as one ZIP and is aborted when the session ends. */
export function registerZipDownload(app: FastifyInstance, deps: Deps): void {
	const limiter = createKeyedSemaphore(limits.concurrentZipsPerUserMax);
	app.get(zipDownloadPath, { config: { access: 'member', isLink: true } }, async (request, reply) => {
		const query = zipDownloadQuery.safeParse(request.query);
		if (!query.success) throw new AppError('INVALID_INPUT');
		// Limited, because each open download checks access again after every change of access.
		const release = limiter.tryAcquire(request.caller.actor?.userId ?? '');
		if (release === null) throw new AppError('TOO_MANY_OPEN');
		reply.raw.once('close', release);
		const download = await openZipDownload(deps, request.caller, query.data.ids);
		reply.headers({ 'content-type': 'application/zip', 'content-disposition': attachmentDisposition(download.name) });
		if (request.method === 'HEAD') {
			download.stop();
			return reply.send(Readable.from([]));
		}
		if (reply.raw.destroyed) download.stop();
		reply.raw.once('close', () => download.stop());
		await abortOnSessionEnd(deps, request, reply, () => reply.raw.destroy(), download.canContinue);
		return reply.send(download.stream);
	});
}
