import { contract } from '#contract/contract.ts';
import type { Deps } from '../../platform/deps.ts';
import { implementEndpoints } from '../../platform/http/api.ts';
import * as service from './credentials.service.ts';
import { importCredentials } from './csv-import.ts';
import { listLookups, searchCredentials } from './lookups.ts';

export function credentialRoutes(deps: Deps) {
	return implementEndpoints(contract.credentials, {
		search: (input, caller) => searchCredentials(deps, caller, input),
		add: (input, caller) => service.createCredential(deps, caller, input),
		list: (input) => service.listCredentials(deps, input),
		update: (input, caller) => service.updateCredential(deps, caller, input),
		remove: (input, caller) => service.deleteCredential(deps, caller, input.record),
		importCsv: (input, caller) => importCredentials(deps, caller, input.csv),
		lookups: (input) => listLookups(deps, input),
	});
}
