import { implement } from '@orpc/server';
import { contract } from '#contract/contract.ts';
import { requireMember } from '../../platform/actor.ts';
import type { Deps } from '../../platform/deps.ts';
import type { ApiContext } from '../../platform/http/api.ts';
import { endView, startView } from './view-as.service.ts';

/** Seeing the product as a member does. */
export function viewAsRoutes(deps: Deps) {
	const os = implement(contract.viewAs).$context<ApiContext>();
	return {
		start: os.start.handler(async ({ input, context }) => {
			await startView(deps, requireMember(context.caller), input.id);
			return {};
		}),
		end: os.end.handler(async ({ context }) => {
			await endView(deps, requireMember(context.caller));
			return {};
		}),
	};
}
