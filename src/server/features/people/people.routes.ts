import { implement } from '@orpc/server';
import { contract } from '#contract/contract.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { importPeople } from './people.import.ts';
import * as service from './people.service.ts';

/** The admin dashboard's calls. */
export function peopleRoutes(deps: Deps) {
	const os = implement(contract.people).$context<ApiContext>();
	return {
		list: os.list.handler(({ input, context }) => service.listPeople(deps, context.caller, input)),
		register: os.register.handler(({ input, context }) => service.registerPerson(deps, context.caller, input)),
		setActive: os.setActive.handler(({ input, context }) => service.setActive(deps, context.caller, input)),
		setRole: os.setRole.handler(({ input, context }) => service.setRole(deps, context.caller, input)),
		importCsv: os.importCsv.handler(({ input, context }) => importPeople(deps, context.caller, input.csv)),
		firestoreUsers: os.firestoreUsers.handler(() => service.listEverybody(deps)),
		registerUser: os.registerUser.handler(async ({ input, context }) =>
			service.presentFirestoreUser(await service.registerPerson(deps, context.caller, { ...input, role: 'user' })),
		),
	};
}
