import { contract } from '#contract/contract.ts';
import { requireMember } from '../../platform/actor.ts';
import type { Deps } from '../../platform/deps.ts';
import { implementEndpoints } from '../../platform/http/api.ts';
import { listFirstSteps, saveFirstSteps } from './setup.service.ts';

export function firstStepRoutes(deps: Deps) {
	return implementEndpoints(contract.firstSteps, {
		get: (_input, caller) => listFirstSteps(deps, requireMember(caller)),
		save: (input, caller) => saveFirstSteps(deps, caller, input),
	});
}
