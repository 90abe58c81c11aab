import { contract } from '#contract/contract.ts';
import type { Deps } from '../../platform/deps.ts';
import { implementEndpoints } from '../../platform/http/api.ts';
import { getStorefront, saveStorefront } from './storefront.service.ts';
import * as videos from './videos/videos.service.ts';
import { createVisitRecorder } from './visits/visit-recorder.ts';
import { getVisitSettings, saveVisitSettings } from './visits/visit-settings.ts';
import { listVisitAddresses, summarizeVisits } from './visits/visits.service.ts';

export function storefrontSettingsRoutes(deps: Deps) {
	return implementEndpoints(contract.storefrontSettings, {
		get: () => getStorefront(deps.db),
		save: (input, caller) => saveStorefront(deps, caller, input),
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

export function videoSettingsRoutes(deps: Deps) {
	return implementEndpoints(contract.filmSettings, {
		get: () => videos.getVideos(deps.db),
		saveTitle: (input, caller) => videos.saveVideoTitle(deps, caller, input),
		remove: (input, caller) => videos.deleteVideoPart(deps, caller, input),
	});
}
