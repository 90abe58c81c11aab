import { implement } from '@orpc/server';
import { contract } from '#contract/contract.ts';
import { requireMember } from '../../platform/actor.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import * as service from './course.service.ts';

/** What is shared with a member, laid out as a course. */
export function courseRoutes(deps: Deps) {
	const os = implement(contract.course).$context<ApiContext>();
	return {
		list: os.list.handler(({ input, context }) => service.listModules(deps, requireMember(context.caller), input)),
		module: os.module.handler(({ input, context }) => service.getModule(deps, requireMember(context.caller), input.id)),
		saveProgress: os.saveProgress.handler(({ input, context }) =>
			service.saveProgress(deps, requireMember(context.caller), input),
		),
	};
}
