import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contract } from '#contract/contract.ts';
import { testMailPath } from '#contract/orders/test-purchase.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { implementEndpoints } from '../../../platform/http/api.ts';
import { ignoreMissingFile } from '../../../platform/storage/storage.ts';
import * as service from './test-purchase.service.ts';

export function testPurchaseRoutes(deps: Deps) {
	return implementEndpoints(contract.testPurchase, {
		get: () => service.getTestPurchase(deps),
		start: (input, caller) => service.startTestPurchase(deps, caller, input.email),
		remove: async (_input, caller) => {
			await service.removeTestPurchase(deps, caller);
			return {};
		},
	});
}

type MailRequest = FastifyRequest<{ Params: { id: string } }>;

/** Registers `GET /api/test-purchase/mails/:id`, which sends a saved mail to the test buyer as a download. */
export function registerTestMails(app: FastifyInstance, deps: Deps): void {
	const config = { access: 'admin', isLink: true } as const;
	app.get(testMailPath(':id'), { config }, async (request: MailRequest, reply) => {
		const path = await service.requireMailFile(deps, request.params.id);
		const source = await readFile(path).catch(ignoreMissingFile);
		if (source === null) throw new AppError('NOT_FOUND');
		return reply
			.headers({ 'content-disposition': 'attachment; filename="mail.eml"', 'cache-control': 'no-store' })
			.type('message/rfc822')
			.send(source);
	});
}
