import { implement } from '@orpc/server';
import { contract } from '#contract/contract.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { listLoginHistory } from './history.service.ts';

/** The login history's calls. */
export function historyRoutes(deps: Deps) {
	const os = implement(contract.history).$context<ApiContext>();
	return { list: os.list.handler(({ input }) => listLoginHistory(deps, input)) };
}
