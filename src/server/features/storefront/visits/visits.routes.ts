import { implement } from '@orpc/server';
import { contract } from '#contract/contract.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { ApiContext } from '../../../platform/http/api.ts';
import { createVisitRecorder } from './visit-recorder.ts';
import { getVisitSettings, saveVisitSettings } from './visit-settings.ts';
import { listVisitAddresses, summarizeVisits } from './visits.service.ts';

/** Recording of visits, for everybody, and their figures, for admins. */
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
