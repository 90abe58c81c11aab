import { implement } from '@orpc/server';
import { contract } from '#contract/contract.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { getOutlinePairs, listOutlinePairs, saveOutlinePairs } from './outlines.service.ts';

/** Which chapters of two languages belong together, for readers and for the owner. */
export function outlinePairRoutes(deps: Deps) {
	const os = implement(contract.outlinePairs).$context<ApiContext>();
	return {
		read: os.read.handler(({ context }) => listOutlinePairs(deps, context.caller)),
		get: os.get.handler(({ context }) => getOutlinePairs(deps, context.caller.locale)),
		save: os.save.handler(({ input, context }) => saveOutlinePairs(deps, context.caller, input)),
	};
}
