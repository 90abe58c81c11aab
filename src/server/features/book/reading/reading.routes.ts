import { Readable } from 'node:stream';
import { implement } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import { readingExportPath, readingExportQuery } from '#contract/book/reading.ts';
import { contract } from '#contract/contract.ts';
import { requireMember } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { dayOf } from '../../../platform/format.ts';
import { abortOnSessionEnd } from '../../../platform/http/abort-on-session-end.ts';
import type { ApiContext } from '../../../platform/http/api.ts';
import { attachmentDisposition } from '../../../platform/http/responses/send-bytes.ts';
import { translate } from '../../../platform/messages.ts';
import { exportAnnotations } from './annotation-export.ts';
import * as service from './reading.service.ts';
import { listReaders, summarizeReading } from './statistics/statistics.service.ts';

/** Routes for the user's own reading positions and annotations. */
export function readingRoutes(deps: Deps) {
	const os = implement(contract.reading).$context<ApiContext>();
	return {
		get: os.get.handler(({ input, context }) =>
			service.getReading(deps, requireMember(context.caller), input.document),
		),
		savePlace: os.savePlace.handler(({ input, context }) =>
			service.saveReadingPosition(deps, requireMember(context.caller), input),
		),
		saveMark: os.saveMark.handler(({ input, context }) =>
			service.saveAnnotation(deps, requireMember(context.caller), input),
		),
		removeMark: os.removeMark.handler(async ({ input, context }) => {
			await service.deleteAnnotation(deps, requireMember(context.caller), input);
			return {};
		}),
	};
}

export function readingStatsRoutes(deps: Deps) {
	const os = implement(contract.readingStats).$context<ApiContext>();
	return {
		summary: os.summary.handler(() => summarizeReading(deps)),
		people: os.people.handler(({ input, context }) => listReaders(deps, requireMember(context.caller), input)),
	};
}

const contentTypes = { md: 'text/markdown; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

/** `GET /api/reading-export`: downloads the user's own annotations. */
export function registerReadingExport(app: FastifyInstance, deps: Deps): void {
	app.get(readingExportPath, { config: { access: 'member', isLink: true } }, async (request, reply) => {
		const caller = requireMember(request.caller);
		// An admin who views as this member may not export their annotations.
		if (caller.actor.impersonatedBy !== null) throw new AppError('FORBIDDEN');
		const query = readingExportQuery.safeParse(request.query);
		if (!query.success) throw new AppError('INVALID_INPUT');
		const { format } = query.data;
		const day = dayOf(deps.clock.now().toISOString(), deps.config.TIME_ZONE);
		reply.headers({
			'content-type': contentTypes[format],
			'content-disposition': attachmentDisposition(
				`${translate('reading_export_title', caller.locale)} ${day}.${format}`,
			),
			'cache-control': 'no-store',
		});
		if (request.method === 'HEAD') return reply.send();
		await abortOnSessionEnd(deps, request, reply, () => reply.raw.destroy());
		return reply.send(Readable.from(exportAnnotations(deps, caller, format)));
	});
}
