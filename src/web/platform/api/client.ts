import { createORPCClient, ORPCError } from '@orpc/client';
import type { ContractRouterClient, InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import { OpenAPILink } from '@orpc/openapi-client/fetch';
import { createTanstackQueryUtils } from '@orpc/tanstack-query';
import { type Contract, contract } from '#contract/contract.ts';
import { limits } from '#contract/core/limits.ts';
import { errorBody } from './failure.ts';
import { recordServerTime } from './server-clock.ts';

const link = new OpenAPILink(contract, {
	url: () => window.location.origin,
	fetch: async (request, init) => {
		const response = await globalThis.fetch(request, init);
		recordServerTime(response.headers.get('date'));
		return response;
	},
	// The contract's error body has `fields` besides oRPC's own keys; oRPC's own decoder rejects a body with other keys.
	customErrorResponseBodyDecoder: (body) => {
		const error = errorBody.safeParse(body);
		if (!error.success) return undefined;
		const { code, status, message, fields } = error.data;
		return new ORPCError(code, { status, message, data: { fields } });
	},
});

/** The typed client of the JSON API. Failures are ORPCErrors whose `message` is already in the user's language. */
export const client: ContractRouterClient<Contract> = createORPCClient(link);

/** The calls as TanStack Query options: `api.orders.list.queryOptions({ input })`, `.mutationOptions()`, `.key()`. */
export const api = createTanstackQueryUtils(client);

/** Makes a call for any number of nodes: in batches of the size that one call allows, one after another. */
export async function callInBatches<Result>(
	nodes: ReadonlyArray<{ id: string }>,
	call: (ids: string[]) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	for (let from = 0; from < nodes.length; from += limits.nodesPerCallMax)
		results.push(await call(nodes.slice(from, from + limits.nodesPerCallMax).map(({ id }) => id)));
	return results;
}

/** Types of the calls' input and output: `CallOutputs['orders']['list']`. */
export type CallInputs = InferContractRouterInputs<Contract>;
export type CallOutputs = InferContractRouterOutputs<Contract>;

/** Options of an infinite query whose pages contain the cursor of the next page. */
export const cursorPaging = {
	initialPageParam: undefined as string | undefined,
	getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor ?? undefined,
};
