import { contract } from '#contract/contract.ts';
import { requireMember } from '../../platform/actor.ts';
import type { Deps } from '../../platform/deps.ts';
import { implementEndpoints } from '../../platform/http/api.ts';
import * as service from './course.service.ts';

export function courseRoutes(deps: Deps) {
	return implementEndpoints(contract.course, {
		list: (input, caller) => service.listModules(deps, requireMember(caller), input),
		module: (input, caller) => service.getModule(deps, requireMember(caller), input.id),
		saveProgress: (input, caller) => service.saveProgress(deps, requireMember(caller), input),
	});
}
