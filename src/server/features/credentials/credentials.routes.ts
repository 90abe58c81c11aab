import { implement } from '@orpc/server';
import { contract } from '#contract/contract.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import * as service from './credentials.service.ts';
import { importCredentials } from './csv-import.ts';
import { listLookups, searchCredentials } from './lookups.ts';

/** The public lookup and what admins do with its records. */
export function credentialRoutes(deps: Deps) {
	const os = implement(contract.credentials).$context<ApiContext>();
	return {
		search: os.search.handler(({ input, context }) => searchCredentials(deps, context.caller, input)),
		add: os.add.handler(({ input, context }) => service.createCredential(deps, context.caller, input)),
		list: os.list.handler(({ input }) => service.listCredentials(deps, input)),
		update: os.update.handler(({ input, context }) => service.updateCredential(deps, context.caller, input)),
		remove: os.remove.handler(async ({ input, context }) => {
			await service.deleteCredential(deps, context.caller, input.record);
			return {};
		}),
		importCsv: os.importCsv.handler(({ input, context }) => importCredentials(deps, context.caller, input.csv)),
		lookups: os.lookups.handler(({ input }) => listLookups(deps, input)),
	};
}
