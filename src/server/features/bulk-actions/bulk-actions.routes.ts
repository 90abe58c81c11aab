import { contract } from '#contract/contract.ts';
import type { Deps } from '../../platform/deps.ts';
import { implementEndpoints } from '../../platform/http/api.ts';
import { countUsersToChange } from '../accounts/index.ts';
import { runBulkAction } from './bulk-actions.service.ts';

export function bulkUserActionRoutes(deps: Deps) {
	return implementEndpoints(contract.bulkUserActions, {
		count: (input) => countUsersToChange(deps, input),
		run: (input, caller) => runBulkAction(deps, caller, input),
	});
}
