import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { ownExportPath } from '#contract/export/export.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { attachment } from '../../platform/http/bytes.ts';
import { holdWhileLive } from '../../platform/http/hold.ts';
import { exportPerson } from './export.service.ts';

/** `GET /api/me/export`: one's own data, to be saved. */
export function registerExport(app: FastifyInstance, deps: Deps): void {
	app.get(ownExportPath, { config: { access: 'member', isLink: true } }, async (request, reply) => {
		const { actor } = request.caller;
		if (actor === null) throw new AppError('UNAUTHORIZED');
		// Whoever only looks on as a member takes nothing along.
		if (actor.viewedBy !== null) throw new AppError('FORBIDDEN');
		const pieces = await exportPerson(deps, actor);
		reply.headers({
			'content-type': 'application/json; charset=utf-8',
			'content-disposition': attachment(`folio-${actor.email}.json`),
			'cache-control': 'no-store',
		});
		if (request.method === 'HEAD') return reply.send();
		await holdWhileLive(deps, request, reply, () => reply.raw.destroy());
		return reply.send(Readable.from(pieces));
	});
}
