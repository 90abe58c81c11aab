import { implement } from '@orpc/server';
import { contract } from '#contract/contract.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { getContactInfo, getDashboardSettings, saveContactInfo, saveDashboardSettings } from './site-settings.ts';

/** What the dashboard button opens. */
export function dashboardRoutes(deps: Deps) {
	const os = implement(contract.dashboardSettings).$context<ApiContext>();
	return {
		get: os.get.handler(() => getDashboardSettings(deps.db)),
		save: os.save.handler(({ input, context }) => saveDashboardSettings(deps, context.caller, input)),
	};
}

/** How members reach the owner. */
export function contactInfoRoutes(deps: Deps) {
	const os = implement(contract.contactInfo).$context<ApiContext>();
	return {
		get: os.get.handler(() => getContactInfo(deps.db)),
		save: os.save.handler(({ input, context }) => saveContactInfo(deps, context.caller, input)),
	};
}
