import { implement } from '@orpc/server';
import type { FastifyInstance } from 'fastify';
import { type DeleteUserResponse, deleteUserPath } from '#contract/accounts/deletion.ts';
import { contract } from '#contract/contract.ts';
import { requireMember } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import * as administration from './administration/administration.service.ts';
import * as accountDeletion from './deletion/deletion.service.ts';
import { endImpersonation, startImpersonation } from './impersonation/impersonation.service.ts';
import { importUsers } from './import/user-csv-import.ts';
import { listLoginHistory } from './login-history/login-history.service.ts';
import * as service from './sessions/sessions.service.ts';

export function userRoutes(deps: Deps) {
	const os = implement(contract.people).$context<ApiContext>();
	return {
		list: os.list.handler(({ input, context }) => administration.listUsers(deps, context.caller, input)),
		register: os.register.handler(({ input, context }) => administration.registerUser(deps, context.caller, input)),
		setActive: os.setActive.handler(({ input, context }) => administration.setUserActive(deps, context.caller, input)),
		setRole: os.setRole.handler(({ input, context }) => administration.setUserRole(deps, context.caller, input)),
		importCsv: os.importCsv.handler(({ input, context }) => importUsers(deps, context.caller, input.csv)),
		firestoreUsers: os.firestoreUsers.handler(() => administration.listAllUsers(deps)),
		registerUser: os.registerUser.handler(async ({ input, context }) =>
			administration.presentFirestoreUser(
				await administration.registerUser(deps, context.caller, { ...input, role: 'user' }),
			),
		),
	};
}

export function impersonationRoutes(deps: Deps) {
	const os = implement(contract.viewAs).$context<ApiContext>();
	return {
		start: os.start.handler(async ({ input, context }) => {
			await startImpersonation(deps, requireMember(context.caller), input.id);
			return {};
		}),
		end: os.end.handler(async ({ context }) => {
			await endImpersonation(deps, requireMember(context.caller));
			return {};
		}),
	};
}

export function loginHistoryRoutes(deps: Deps) {
	const os = implement(contract.history).$context<ApiContext>();
	return { list: os.list.handler(({ input }) => listLoginHistory(deps, input)) };
}

export function accountDeletionRoutes(deps: Deps) {
	const os = implement(contract.removals).$context<ApiContext>();
	return { running: os.running.handler(() => accountDeletion.listAccountDeletions(deps)) };
}

/** `POST /delete-user-all` {uid}: always answers with exactly {success, error}, whatever happens. */
export function registerAccountDeletion(app: FastifyInstance, deps: Deps): void {
	app.post(
		deleteUserPath,
		{ config: { access: 'admin', tellsSuccess: true } },
		async (request): Promise<DeleteUserResponse> => {
			if (request.isMultipart()) throw new AppError('WRONG_CONTENT_TYPE');
			const { uid } = (request.body ?? {}) as { uid?: unknown };
			if (typeof uid !== 'string' || uid === '') throw new AppError('UID_REQUIRED');
			await accountDeletion.deleteAccount(deps, request.caller, uid);
			return { success: true, error: null };
		},
	);
}

/** Session routes: users manage their own devices, admins those of any user. */
export function sessionRoutes(deps: Deps) {
	const os = implement(contract.sessions).$context<ApiContext>();
	return {
		list: os.list.handler(({ input, context }) => service.listOwnSessions(deps, context.caller, input)),
		end: os.end.handler(({ input, context }) => service.endOwnSession(deps, context.caller, input.id)),
		endOthers: os.endOthers.handler(({ context }) => service.endOtherSessions(deps, context.caller)),
		listOf: os.listOf.handler(({ input, context }) => service.listUserSessions(deps, context.caller, input)),
		endOf: os.endOf.handler(({ input, context }) => service.endUserSession(deps, context.caller, input)),
		endAllOf: os.endAllOf.handler(({ input, context }) => service.endAllUserSessions(deps, context.caller, input.id)),
	};
}
