import { implement } from '@orpc/server';
import { contract } from '#contract/contract.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { getStorefront, saveStorefront } from './storefront.service.ts';

/** Links, contact and fine print of the storefront. */
export function storefrontSettingsRoutes(deps: Deps) {
	const os = implement(contract.storefrontSettings).$context<ApiContext>();
	return {
		get: os.get.handler(() => getStorefront(deps.db)),
		save: os.save.handler(({ input, context }) => saveStorefront(deps, context.caller, input)),
	};
}
