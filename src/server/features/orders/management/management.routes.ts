import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contract } from '#contract/contract.ts';
import { limits } from '#contract/core/limits.ts';
import { ordersCsvPath, ordersFilter } from '#contract/orders/orders.ts';
import { statementColumns, statementPath } from '#contract/orders/statement-import.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { implementEndpoints } from '../../../platform/http/api.ts';
import { readSingleFile } from '../../../platform/http/forms/single-file-form.ts';
import { sendBlob, sendCsv } from '../../../platform/http/responses/send-bytes.ts';
import { createKeyedSemaphore, type KeyedSemaphore } from '../../../platform/locking/concurrency-limiter.ts';
import * as service from '../orders.service.ts';
import { compareStatement } from '../statement-import/statement-import.service.ts';
import * as management from './management.service.ts';
import { completeOrders } from './order-completion.ts';
import { csvHeader, csvRows, recordOrdersExport } from './orders-csv.ts';

export function orderRoutes(deps: Deps) {
	return implementEndpoints(contract.orders, {
		list: (input) => service.listOrders(deps, input),
		summary: () => service.summarizeOrders(deps),
		days: (input) => service.listSalesDays(deps, input.days),
		complete: (input, caller) => completeOrders(deps, caller, input.orders),
		get: (input) => service.getOrder(deps, input.id),
		proofs: (input) => management.listProofs(deps, input.id),
		update: (input, caller) => management.updateOrder(deps, caller, input),
		writeNote: (input, caller) => management.writeNote(deps, caller, input),
		remove: (input, caller) => management.deleteOrder(deps, caller, input.id),
	});
}

/** Registers `GET /api/orders.csv`, which streams the filtered orders and is aborted when the session ends. */
export function registerOrdersCsv(app: FastifyInstance, deps: Deps): void {
	app.get(ordersCsvPath, { config: { access: 'admin', isLink: true } }, async (request, reply) => {
		const filter = ordersFilter.safeParse(request.query);
		if (!filter.success) throw new AppError('INVALID_INPUT');
		const { caller } = request;
		if (request.method === 'GET') await recordOrdersExport(deps, caller, filter.data);
		const rows = () => csvRows(deps, caller.locale, filter.data);
		return sendCsv(deps, request, reply, { name: 'orders', header: csvHeader(caller.locale), rows });
	});
}

const statementFile = {
	maxBytes: limits.statementMaxBytes,
	code: 'STATEMENT_UNREADABLE',
	tooLarge: 'error_statement_too_large',
} as const;

const retryAfterSeconds = 5;

/** Registers `POST /api/orders-statement`, which compares a bank or UPI statement (multipart) with the orders. */
export function registerStatementImport(app: FastifyInstance, deps: Deps): void {
	const slotsPerUser = createKeyedSemaphore(1);
	const slotsInTotal = createKeyedSemaphore(limits.concurrentStatementImportsMax);
	app.post(statementPath, { config: { access: 'admin', isForm: true } }, async (request, reply) => {
		const query = request.query as Record<string, unknown>;
		const columns = 'amount' in query ? statementColumns.safeParse(query) : undefined;
		if (columns?.success === false) throw new AppError('INVALID_INPUT');
		// One statement per admin at a time, because reading it may take a hundred megabytes of memory.
		return runInSlot(slotsPerUser, request.caller.actor?.userId ?? '', async () => {
			const { bytes } = await readSingleFile(request, reply, statementFile);
			// The total limit applies after the body has arrived, so that a slow sender does not block others.
			return runInSlot(slotsInTotal, '', () => compareStatement(deps, bytes, columns?.data ?? null));
		});
	});
}

async function runInSlot<Result>(slots: KeyedSemaphore, key: string, run: () => Promise<Result>): Promise<Result> {
	const release = slots.tryAcquire(key);
	if (release === null) throw new AppError('BUSY', { retryAfterSeconds });
	return run().finally(release);
}

type ProofRequest = FastifyRequest<{ Params: { id: string }; Querystring: { thumb?: string } }>;

/** Registers `GET /api/proofs/:id/image`, which sends the screenshot or, with `?thumb=1`, the thumbnail. */
export function registerProofImages(app: FastifyInstance, deps: Deps): void {
	const config = { access: 'admin', isLink: true } as const;
	app.get('/api/proofs/:id/image', { config }, async (request: ProofRequest, reply) => {
		const blob = await management.getProofBlob(deps, request.params.id, request.query.thumb !== undefined);
		return sendBlob(deps, request, reply, blob);
	});
}
