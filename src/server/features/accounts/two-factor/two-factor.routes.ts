import { implement } from '@orpc/server';
import { contract } from '#contract/contract.ts';
import { requireMember } from '../../../platform/actor.ts';
import { knownDeviceCookie } from '../../../platform/auth/sessions/known-devices.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { ApiContext } from '../../../platform/http/api.ts';
import * as requirement from './admin-requirement.ts';
import * as service from './two-factor.service.ts';

function accountCallerOf({ caller, reply }: ApiContext): service.AccountCaller {
	return { ...requireMember(caller), knownDevices: reply.request.cookies[knownDeviceCookie] };
}

/** Routes for the user's own two-factor sign-in, for resetting that of another user, and for requiring it of admins. */
export function twoFactorRoutes(deps: Deps) {
	const os = implement(contract.twoFactor).$context<ApiContext>();
	return {
		status: os.status.handler(({ context }) => service.getTwoFactorStatus(deps, requireMember(context.caller))),
		begin: os.begin.handler(({ input, context }) => service.beginTwoFactorSetup(deps, accountCallerOf(context), input)),
		confirm: os.confirm.handler(({ input, context }) =>
			service.confirmTwoFactorSetup(deps, accountCallerOf(context), input),
		),
		renewRecoveryCodes: os.renewRecoveryCodes.handler(({ input, context }) =>
			service.renewRecoveryCodes(deps, accountCallerOf(context), input),
		),
		turnOff: os.turnOff.handler(async ({ input, context }) => {
			await service.turnOffTwoFactor(deps, accountCallerOf(context), input);
			return {};
		}),
		reset: os.reset.handler(async ({ input, context }) => {
			await service.resetTwoFactor(deps, context.caller, input.id);
			return {};
		}),
		requirement: os.requirement.handler(() => requirement.getAdminRequirement(deps)),
		saveRequirement: os.saveRequirement.handler(({ input, context }) =>
			requirement.saveAdminRequirement(deps, requireMember(context.caller), input),
		),
	};
}
