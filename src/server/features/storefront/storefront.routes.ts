import { implement } from '@orpc/server';
import { contract } from '#contract/contract.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { getStorefront, saveStorefront } from './storefront.service.ts';
import { createVisitRecorder } from './visits/visit-recorder.ts';
import { getVisitSettings, saveVisitSettings } from './visits/visit-settings.ts';
import { listVisitAddresses, summarizeVisits } from './visits/visits.service.ts';

/** Routes for the storefront's settings: links, contact and legal texts. */
export function storefrontSettingsRoutes(deps: Deps) {
	const os = implement(contract.storefrontSettings).$context<ApiContext>();
	return {
		get: os.get.handler(() => getStorefront(deps.db)),
		save: os.save.handler(({ input, context }) => saveStorefront(deps, context.caller, input)),
	};
}

/** Routes that record visits, for everyone, and show their figures, for admins. */
export function visitRoutes(deps: Deps) {
	const os = implement(contract.visits).$context<ApiContext>();
	const recorder = createVisitRecorder(deps);
	return {
		record: os.record.handler(async ({ input, context }) => {
			await recorder.record(context.caller, input);
			return {};
		}),
		summary: os.summary.handler(({ input }) => summarizeVisits(deps, input)),
		addresses: os.addresses.handler(({ input }) => listVisitAddresses(deps, input)),
		getSettings: os.getSettings.handler(() => getVisitSettings(deps.db)),
		saveSettings: os.saveSettings.handler(({ input, context }) => saveVisitSettings(deps, context.caller, input)),
	};
}
