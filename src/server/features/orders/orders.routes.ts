import { implement } from '@orpc/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contract } from '#contract/contract.ts';
import { limits } from '#contract/core/limits.ts';
import { ordersCsvPath, ordersFilter } from '#contract/orders/orders.ts';
import { type StatementAnswer, statementColumns, statementPath } from '#contract/orders/statement.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { sendBlob } from '../../platform/http/bytes.ts';
import { sendCsv } from '../../platform/http/csv-answer.ts';
import { findBlob } from '../files/files.service.ts';
import { listProofs, requireProofBlobId } from './order-proofs.service.ts';
import * as service from './orders.service.ts';
import * as change from './orders-change.service.ts';
import { completeOrders } from './orders-complete.service.ts';
import { csvHead, csvRows, recordExport } from './orders-csv.ts';
import { listSalesDays } from './orders-days.service.ts';
import { readStatement } from './statement.service.ts';

/** The orders desk. */
export function orderRoutes(deps: Deps) {
	const os = implement(contract.orders).$context<ApiContext>();
	return {
		list: os.list.handler(({ input }) => service.listOrders(deps, input)),
		summary: os.summary.handler(() => service.summariseOrders(deps)),
		days: os.days.handler(({ input }) => listSalesDays(deps, input.days)),
		complete: os.complete.handler(({ input, context }) => completeOrders(deps, context.caller, input.orders)),
		get: os.get.handler(({ input }) => service.getOrder(deps, input.id)),
		proofs: os.proofs.handler(({ input }) => listProofs(deps, input.id)),
		update: os.update.handler(({ input, context }) => change.updateOrder(deps, context.caller, input)),
		writeNote: os.writeNote.handler(({ input, context }) => change.writeNote(deps, context.caller, input)),
		remove: os.remove.handler(async ({ input, context }) => {
			await change.removeOrder(deps, context.caller, input.id);
			return {};
		}),
	};
}

/** `GET /api/orders.csv`: the filtered desk as a file, streamed; cut off when the session ends. */
export function registerOrdersCsv(app: FastifyInstance, deps: Deps): void {
	app.get(ordersCsvPath, { config: { access: 'admin', isLink: true } }, async (request, reply) => {
		const filter = ordersFilter.safeParse(request.query);
		if (!filter.success) throw new AppError('INVALID_INPUT');
		const { caller } = request;
		if (request.method === 'GET') await recordExport(deps, caller, filter.data);
		const rows = () => csvRows(deps, caller.locale, filter.data);
		return sendCsv(deps, request, reply, { name: 'orders', head: csvHead(caller.locale), rows });
	});
}

/** `POST /api/orders-statement`: compares a bank or UPI statement (multipart, one file) with the orders. */
export function registerStatement(app: FastifyInstance, deps: Deps): void {
	app.post(statementPath, { config: { access: 'admin', isForm: true } }, async (request): Promise<StatementAnswer> => {
		if (!request.isMultipart()) throw new AppError('WRONG_CONTENT_TYPE');
		const query = request.query as Record<string, unknown>;
		const columns = 'amount' in query ? statementColumns.safeParse(query) : undefined;
		if (columns?.success === false) throw new AppError('INVALID_INPUT');
		return readStatement(deps, await readStatementFile(request), columns?.data ?? null);
	});
}

/** @throws AppError STATEMENT_TOO_LARGE; STATEMENT_UNREADABLE without a file, and for a body that is no form */
async function readStatementFile(request: FastifyRequest): Promise<Buffer> {
	try {
		const file = await request.file({ limits: { fileSize: limits.statementMaxBytes, files: 1 } });
		if (file !== undefined) return await file.toBuffer();
	} catch (error) {
		if ((error as { statusCode?: number }).statusCode === 413) throw new AppError('STATEMENT_TOO_LARGE');
		throw new AppError('STATEMENT_UNREADABLE', { cause: error });
	}
	throw new AppError('STATEMENT_UNREADABLE');
}

/** `GET /api/proofs/:id/image`: the re-encoded screenshot, `?thumb=1` for its small form. */
export function registerProofImages(app: FastifyInstance, deps: Deps): void {
	app.get<{ Params: { id: string }; Querystring: { thumb?: string } }>(
		'/api/proofs/:id/image',
		{ config: { access: 'admin', isLink: true } },
		async (request, reply) => {
			const blobId = await requireProofBlobId(deps, request.params.id, request.query.thumb !== undefined);
			const blob = await findBlob(deps.db, blobId);
			if (blob === undefined) throw new AppError('NOT_FOUND');
			return sendBlob(deps, request, reply, blob);
		},
	);
}
