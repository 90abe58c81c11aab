import type { FastifyInstance } from 'fastify';
import { auditCsvPath, auditFilter } from '#contract/audit/audit.ts';
import { contract } from '#contract/contract.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { implementEndpoints } from '../../platform/http/api.ts';
import { sendCsv } from '../../platform/http/responses/send-bytes.ts';
import { csvHeader, csvRows, listAuditEntries } from './audit-list.ts';

export function auditRoutes(deps: Deps) {
	return implementEndpoints(contract.audit, { list: (input, caller) => listAuditEntries(deps, caller.locale, input) });
}

/** Registers `GET /api/audit.csv`, which streams the filtered list and is aborted when the session ends. */
export function registerAuditCsv(app: FastifyInstance, deps: Deps): void {
	app.get(auditCsvPath, { config: { access: 'admin', isLink: true } }, async (request, reply) => {
		const filter = auditFilter.safeParse(request.query);
		if (!filter.success) throw new AppError('INVALID_INPUT');
		const { locale } = request.caller;
		const rows = () => csvRows(deps, locale, filter.data);
		return sendCsv(deps, request, reply, { name: 'audit', header: csvHeader(locale), rows });
	});
}
