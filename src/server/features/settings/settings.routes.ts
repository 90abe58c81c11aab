import { contract } from '#contract/contract.ts';
import type { Deps } from '../../platform/deps.ts';
import { implementEndpoints } from '../../platform/http/api.ts';
import { getContactInfo, getDashboardSettings, saveContactInfo, saveDashboardSettings } from './site-settings.ts';

export function dashboardRoutes(deps: Deps) {
	return implementEndpoints(contract.dashboardSettings, {
		get: () => getDashboardSettings(deps.db),
		save: (input, caller) => saveDashboardSettings(deps, caller, input),
	});
}

export function contactInfoRoutes(deps: Deps) {
	return implementEndpoints(contract.contactInfo, {
		get: () => getContactInfo(deps.db),
		save: (input, caller) => saveContactInfo(deps, caller, input),
	});
}
