import { implement } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import { contract } from '#contract/contract.ts';
import { type DeletionAnswer, deletePersonPath } from '#contract/removal/removal.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { errorBodyOf, toAppError } from '../../platform/http/errors.ts';
import * as service from './removal.service.ts';

/** What is being removed. */
export function removalRoutes(deps: Deps) {
	const os = implement(contract.removals).$context<ApiContext>();
	return { running: os.running.handler(() => service.listRemovals(deps)) };
}

/** `POST /delete-user-all` {uid}: {success, error} to the letter, whatever happens. */
export function registerDeletion(app: FastifyInstance, deps: Deps): void {
	app.post(deletePersonPath, { config: { access: 'admin' } }, async (request, reply): Promise<DeletionAnswer> => {
		try {
			const { uid } = (request.body ?? {}) as { uid?: unknown };
			if (typeof uid !== 'string' || uid === '') throw new AppError('UID_REQUIRED');
			await service.removePerson(deps, request.caller, uid);
			return { success: true, error: null };
		} catch (error) {
			const failure = toAppError(error);
			if (failure.status >= 500) deps.log.error({ requestId: request.id, err: error }, 'deletion failed');
			if (failure.retryAfterSeconds !== undefined) reply.header('retry-after', String(failure.retryAfterSeconds));
			reply.code(failure.status);
			const body = errorBodyOf(failure, request.caller.locale);
			return { ...body, success: false, error: body.message };
		}
	});
}
