import { implement } from '@orpc/server';
import { contract } from '#contract/contract.ts';
import { requireMember } from '../../platform/actor.ts';
import { knownDeviceCookie } from '../../platform/auth/known-devices.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import * as requirement from './two-factor.requirement.service.ts';
import * as service from './two-factor.service.ts';

function accountCallerOf({ caller, reply }: ApiContext): service.AccountCaller {
	return { ...requireMember(caller), knownDevices: reply.request.cookies[knownDeviceCookie] };
}

/** The own two-factor sign-in, resetting another's, and requiring it of admins. */
export function twoFactorRoutes(deps: Deps) {
	const os = implement(contract.twoFactor).$context<ApiContext>();
	return {
		status: os.status.handler(({ context }) => service.getStatus(deps, requireMember(context.caller))),
		begin: os.begin.handler(({ input, context }) => service.begin(deps, accountCallerOf(context), input)),
		confirm: os.confirm.handler(({ input, context }) => service.confirm(deps, accountCallerOf(context), input)),
		renewRecoveryCodes: os.renewRecoveryCodes.handler(({ input, context }) =>
			service.renewRecoveryCodes(deps, accountCallerOf(context), input),
		),
		turnOff: os.turnOff.handler(async ({ input, context }) => {
			await service.turnOff(deps, accountCallerOf(context), input);
			return {};
		}),
		reset: os.reset.handler(async ({ input, context }) => {
			await service.reset(deps, context.caller, input.id);
			return {};
		}),
		requirement: os.requirement.handler(() => requirement.getRequirement(deps)),
		saveRequirement: os.saveRequirement.handler(({ input, context }) =>
			requirement.saveRequirement(deps, requireMember(context.caller), input),
		),
	};
}
