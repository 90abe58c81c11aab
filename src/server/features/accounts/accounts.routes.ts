import type { FastifyInstance, FastifyReply } from 'fastify';
import { type DeleteUserResponse, deleteUserPath } from '#contract/accounts/deletion.ts';
import { contract } from '#contract/contract.ts';
import { type Caller, requireMember } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { knownDeviceCookie } from '../../platform/auth/sessions/known-devices.ts';
import type { Deps } from '../../platform/deps.ts';
import { implementEndpoints, requireJson } from '../../platform/http/api.ts';
import * as administration from './administration/administration.service.ts';
import * as accountDeletion from './deletion/deletion.service.ts';
import * as groups from './groups/groups.service.ts';
import { endImpersonation, startImpersonation } from './impersonation/impersonation.service.ts';
import { importUsers } from './import/user-csv-import.ts';
import { listLoginHistory } from './login-history/login-history.service.ts';
import * as savedFilters from './saved-filters/saved-filters.service.ts';
import * as service from './sessions/sessions.service.ts';
import { signInRoutes } from './sign-in/sign-in.routes.ts';
import * as requirement from './two-factor/admin-requirement.ts';
import * as twoFactor from './two-factor/two-factor.service.ts';

export function accountRoutes(deps: Deps) {
	return {
		account: signInRoutes(deps),
		people: implementEndpoints(contract.people, {
			list: (input, caller) => administration.listUsers(deps, caller, input),
			register: (input, caller) => administration.registerUser(deps, caller, input),
			setActive: (input, caller) => administration.setUserActive(deps, caller, input),
			setRole: (input, caller) => administration.setUserRole(deps, caller, input),
			importCsv: (input, caller) => importUsers(deps, caller, input.csv),
			firestoreUsers: () => administration.listAllUsers(deps),
			registerUser: async (input, caller) =>
				administration.presentFirestoreUser(
					await administration.registerUser(deps, caller, { ...input, role: 'user' }),
				),
		}),
		groups: implementEndpoints(contract.groups, {
			list: (input) => groups.listGroups(deps, input),
			create: (input, caller) => groups.createGroup(deps, caller, input),
			rename: (input, caller) => groups.renameGroup(deps, caller, input),
			remove: async (input, caller) => {
				await groups.deleteGroup(deps, caller, input.id);
				return {};
			},
			members: (input) => groups.listMembers(deps, input),
			addMembers: (input, caller) => groups.addMembers(deps, caller, input),
			removeMembers: (input, caller) => groups.removeMembers(deps, caller, input),
		}),
		viewAs: implementEndpoints(contract.viewAs, {
			start: (input, caller) => startImpersonation(deps, requireMember(caller), input.id),
			end: (_input, caller) => endImpersonation(deps, requireMember(caller)),
		}),
		savedFilters: implementEndpoints(contract.savedFilters, {
			list: (input, caller) => savedFilters.listSavedFilters(deps, requireMember(caller), input.list),
			add: (input, caller) => savedFilters.createSavedFilter(deps, requireMember(caller), input),
			update: (input, caller) => savedFilters.updateSavedFilter(deps, requireMember(caller), input),
			remove: (input, caller) => savedFilters.deleteSavedFilter(deps, requireMember(caller), input.id),
		}),
		history: implementEndpoints(contract.history, { list: (input) => listLoginHistory(deps, input) }),
		removals: implementEndpoints(contract.removals, { running: () => accountDeletion.listAccountDeletions(deps) }),
		sessions: implementEndpoints(contract.sessions, {
			list: (input, caller) => service.listOwnSessions(deps, caller, input),
			end: (input, caller) => service.endOwnSession(deps, caller, input.id),
			endOthers: (_input, caller) => service.endOtherSessions(deps, caller),
			listOf: (input, caller) => service.listUserSessions(deps, caller, input),
			endOf: (input, caller) => service.endUserSession(deps, caller, input),
			endAllOf: (input, caller) => service.endAllUserSessions(deps, caller, input.id),
		}),
		twoFactor: twoFactorRoutes(deps),
	};
}

function accountCallerOf(caller: Caller, reply: FastifyReply): twoFactor.AccountCaller {
	return { ...requireMember(caller), knownDevices: reply.request.cookies[knownDeviceCookie] };
}

function twoFactorRoutes(deps: Deps) {
	return implementEndpoints(contract.twoFactor, {
		status: (_input, caller) => twoFactor.getTwoFactorStatus(deps, requireMember(caller)),
		begin: (input, caller, reply) => twoFactor.beginTwoFactorSetup(deps, accountCallerOf(caller, reply), input),
		confirm: (input, caller, reply) => twoFactor.confirmTwoFactorSetup(deps, accountCallerOf(caller, reply), input),
		renewRecoveryCodes: (input, caller, reply) =>
			twoFactor.renewRecoveryCodes(deps, accountCallerOf(caller, reply), input),
		turnOff: (input, caller, reply) => twoFactor.turnOffTwoFactor(deps, accountCallerOf(caller, reply), input),
		reset: (input, caller) => twoFactor.resetTwoFactor(deps, caller, input.id),
		requirement: () => requirement.getAdminRequirement(deps),
		saveRequirement: (input, caller) => requirement.saveAdminRequirement(deps, requireMember(caller), input),
	});
}

/** Registers `POST /delete-user-all`. Every response, even to a failed request, has only `success` and `error`. */
export function registerAccountDeletion(app: FastifyInstance, deps: Deps): void {
	app.post(deleteUserPath, { config: { access: 'admin', tellsSuccess: true } }, async (request) => {
		requireJson(request);
		const { uid } = (request.body ?? {}) as { uid?: unknown };
		if (typeof uid !== 'string' || uid === '') throw new AppError('UID_REQUIRED');
		await accountDeletion.deleteAccount(deps, request.caller, uid);
		return { success: true, error: null } satisfies DeleteUserResponse;
	});
}
