import { Readable } from 'node:stream';
import { implement } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import { auditCsvPath, auditFilter } from '#contract/audit/audit.ts';
import { contract } from '#contract/contract.ts';
import { AppError } from '../../platform/app-error.ts';
import { csvStream } from '../../platform/csv.ts';
import type { Deps } from '../../platform/deps.ts';
import { dayOf } from '../../platform/format.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { attachment } from '../../platform/http/bytes.ts';
import { holdWhileLive } from '../../platform/http/hold.ts';
import { csvHead, csvRows, listAudit } from './audit-list.service.ts';

/** The audit list. */
export function auditRoutes(deps: Deps) {
	const os = implement(contract.audit).$context<ApiContext>();
	return { list: os.list.handler(({ input, context }) => listAudit(deps, context.caller.locale, input)) };
}

/** `GET /api/audit.csv`: the filtered list as a file, streamed; cut off when the session ends. */
export function registerAuditCsv(app: FastifyInstance, deps: Deps): void {
	app.get(auditCsvPath, { config: { access: 'admin', isLink: true } }, async (request, reply) => {
		const filter = auditFilter.safeParse(request.query);
		if (!filter.success) throw new AppError('INVALID_INPUT');
		const { locale } = request.caller;
		const day = dayOf(deps.clock.now().toISOString(), deps.config.TIME_ZONE);
		reply.headers({
			'content-type': 'text/csv; charset=utf-8; header=present',
			'content-disposition': attachment(`audit-${day}.csv`),
		});
		if (request.method === 'HEAD') return reply.send(Readable.from([]));
		await holdWhileLive(deps, request, reply, () => reply.raw.destroy());
		return reply.send(csvStream(csvHead(locale), csvRows(deps, locale, filter.data)));
	});
}
