import { implement } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import { contract } from '#contract/contract.ts';
import { type DeletionAnswer, deletePersonPath } from '#contract/removal/removal.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import * as service from './removal.service.ts';

/** What is being removed. */
export function removalRoutes(deps: Deps) {
	const os = implement(contract.removals).$context<ApiContext>();
	return { running: os.running.handler(() => service.listRemovals(deps)) };
}

/** `POST /delete-user-all` {uid}: {success, error} to the letter, whatever happens. */
export function registerDeletion(app: FastifyInstance, deps: Deps): void {
	app.post(
		deletePersonPath,
		{ config: { access: 'admin', tellsSuccess: true } },
		async (request): Promise<DeletionAnswer> => {
			if (request.isMultipart()) throw new AppError('WRONG_CONTENT_TYPE');
			const { uid } = (request.body ?? {}) as { uid?: unknown };
			if (typeof uid !== 'string' || uid === '') throw new AppError('UID_REQUIRED');
			await service.removePerson(deps, request.caller, uid);
			return { success: true, error: null };
		},
	);
}
