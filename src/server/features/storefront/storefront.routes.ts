import { contract } from '#contract/contract.ts';
import type { Deps } from '../../platform/deps.ts';
import { implementEndpoints } from '../../platform/http/api.ts';
import { getDraft, saveField } from './content/content.service.ts';
import { discardDraft, listVersions, publishDraft, restoreVersion } from './content/publishing.ts';
import { createVisitRecorder } from './visits/visit-recorder.ts';
import { getVisitSettings, saveVisitSettings } from './visits/visit-settings.ts';
import { listVisitAddresses, summarizeVisits } from './visits/visits.service.ts';

export function storefrontContentRoutes(deps: Deps) {
	return implementEndpoints(contract.storefrontContent, {
		getDraft: () => getDraft(deps),
		saveField: (input, caller) => saveField(deps, caller, input),
		publish: (input, caller) => publishDraft(deps, caller, input),
		discard: (input, caller) => discardDraft(deps, caller, input),
		listVersions: async () => ({ items: await listVersions(deps) }),
		restoreVersion: (input, caller) => restoreVersion(deps, caller, input),
	});
}

export function visitRoutes(deps: Deps) {
	const recorder = createVisitRecorder(deps);
	return implementEndpoints(contract.visits, {
		record: (input, caller) => recorder.record(caller, input),
		summary: (input) => summarizeVisits(deps, input),
		addresses: (input) => listVisitAddresses(deps, input),
		getSettings: () => getVisitSettings(deps.db),
		saveSettings: (input, caller) => saveVisitSettings(deps, caller, input),
	});
}
