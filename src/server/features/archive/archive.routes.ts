import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { limits } from '#contract/core/limits.ts';
import { archivePath, archiveQuery } from '#contract/files/archive.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { attachment } from '../../platform/http/bytes.ts';
import { holdWhileLive } from '../../platform/http/hold.ts';
import { createPlaces } from '../../platform/places.ts';
import { openArchive } from './archive.service.ts';

/** `GET /api/archive?ids=…`: files and folders as one ZIP, streamed; cut off when the session ends. */
export function registerArchive(app: FastifyInstance, deps: Deps): void {
	const places = createPlaces(limits.archivesOfPersonMax);
	app.get(archivePath, { config: { access: 'member', isLink: true } }, async (request, reply) => {
		const query = archiveQuery.safeParse(request.query);
		if (!query.success) throw new AppError('INVALID_INPUT');
		// Each has its rights looked at again at every change: nobody may hold any number of them open.
		const leave = places.take(request.caller.actor?.userId ?? '');
		if (leave === null) throw new AppError('TOO_MANY_OPEN');
		reply.raw.once('close', leave);
		const archive = await openArchive(deps, request.caller, query.data.ids);
		reply.headers({ 'content-type': 'application/zip', 'content-disposition': attachment(archive.name) });
		if (request.method === 'HEAD') {
			archive.stop();
			return reply.send(Readable.from([]));
		}
		if (reply.raw.destroyed) archive.stop();
		reply.raw.once('close', () => archive.stop());
		await holdWhileLive(deps, request, reply, () => reply.raw.destroy(), archive.mayGoOn);
		return reply.send(archive.stream);
	});
}
