import { implement } from '@orpc/server';
import { contract } from '#contract/contract.ts';
import type { Deps } from '../../../platform/deps.ts';
import type { ApiContext } from '../../../platform/http/api.ts';
import * as service from './sessions.service.ts';

/** Everybody's own devices, and for admins anyone's. */
export function sessionRoutes(deps: Deps) {
	const os = implement(contract.sessions).$context<ApiContext>();
	return {
		list: os.list.handler(({ input, context }) => service.listOwnSessions(deps, context.caller, input)),
		end: os.end.handler(({ input, context }) => service.endOwnSession(deps, context.caller, input.id)),
		endOthers: os.endOthers.handler(({ context }) => service.endOtherSessions(deps, context.caller)),
		listOf: os.listOf.handler(({ input, context }) => service.listUserSessions(deps, context.caller, input)),
		endOf: os.endOf.handler(({ input, context }) => service.endUserSession(deps, context.caller, input)),
		endAllOf: os.endAllOf.handler(({ input, context }) => service.endAllUserSessions(deps, context.caller, input.id)),
	};
}
