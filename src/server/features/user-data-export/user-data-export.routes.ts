import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { userDataExportPath } from '#contract/core/non-json-endpoints.ts';
import { requireActor } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { abortOnSessionEnd } from '../../platform/http/abort-on-session-end.ts';
import { attachmentDisposition } from '../../platform/http/responses/send-bytes.ts';
import { exportUserData } from './user-data-export.service.ts';

export function registerUserDataExport(app: FastifyInstance, deps: Deps): void {
	app.get(userDataExportPath, { config: { access: 'member', isLink: true } }, async (request, reply) => {
		const actor = requireActor(request.caller);
		// During an impersonation, the admin may not export the member's data.
		if (actor.impersonatedBy !== null) throw new AppError('FORBIDDEN');
		const chunks = await exportUserData(deps, actor);
		reply.headers({
			'content-type': 'application/json; charset=utf-8',
			'content-disposition': attachmentDisposition(`folio-${actor.email}.json`),
			'cache-control': 'no-store',
		});
		if (request.method === 'HEAD') return reply.send();
		await abortOnSessionEnd(deps, request, reply, () => reply.raw.destroy());
		return reply.send(Readable.from(chunks));
	});
}
