import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { readingExportPath, readingExportQuery } from '#contract/book/reading.ts';
import { contract } from '#contract/contract.ts';
import { requireMember } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { dayOf } from '../../../platform/format.ts';
import { abortOnSessionEnd } from '../../../platform/http/abort-on-session-end.ts';
import { implementEndpoints } from '../../../platform/http/api.ts';
import { attachmentDisposition } from '../../../platform/http/responses/send-bytes.ts';
import { translate } from '../../../platform/messages.ts';
import { exportAnnotations } from './annotation-export.ts';
import * as service from './reading.service.ts';
import { listReaders, summarizeReading } from './statistics/statistics.service.ts';

export function readingRoutes(deps: Deps) {
	return implementEndpoints(contract.reading, {
		get: (input, caller) => service.getReading(deps, requireMember(caller), input.document),
		savePlace: (input, caller) => service.saveReadingPosition(deps, requireMember(caller), input),
		saveMark: (input, caller) => service.saveAnnotation(deps, requireMember(caller), input),
		removeMark: (input, caller) => service.deleteAnnotation(deps, requireMember(caller), input),
	});
}

export function readingStatsRoutes(deps: Deps) {
	return implementEndpoints(contract.readingStats, {
		summary: () => summarizeReading(deps),
		people: (input, caller) => listReaders(deps, requireMember(caller), input),
	});
}

const contentTypes = { md: 'text/markdown; charset=utf-8', json: 'application/json; charset=utf-8' } as const;

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
