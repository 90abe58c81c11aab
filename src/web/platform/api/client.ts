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
	// The default decoder of oRPC would reject the body, because it contains `fields`.
	customErrorResponseBodyDecoder: (body) => {
		const error = errorBody.safeParse(body);
		if (!error.success) return undefined;
		const { code, status, message, fields } = error.data;
		return new ORPCError(code, { status, message, data: { fields } });
	},
});

/** The client of the JSON API. A rejection by the server is an ORPCError with a `message` in the user's language. */
export const client: ContractRouterClient<Contract> = createORPCClient(link);

/** TanStack Query options of the calls: `api.orders.list.queryOptions({ input })`, `.mutationOptions()`, `.key()`. */
export const api = createTanstackQueryUtils(client);

/** Calls `call` for batches of nodes, one batch after another. Each batch has the largest size that a call allows. */
export async function callInBatches<Result>(
	nodes: ReadonlyArray<{ id: string }>,
	call: (ids: string[]) => Promise<Result>,
): Promise<Result[]> {
	const results: Result[] = [];
	for (let from = 0; from < nodes.length; from += limits.nodesPerCallMax)
		results.push(await call(nodes.slice(from, from + limits.nodesPerCallMax).map(({ id }) => id)));
	return results;
}

/** The inputs and outputs of the calls. Example: `CallOutputs['orders']['list']`. */
export type CallInputs = InferContractRouterInputs<Contract>;
export type CallOutputs = InferContractRouterOutputs<Contract>;

/** Options of an infinite query whose pages have a `nextCursor`. */
export const cursorPaging = {
	initialPageParam: undefined as string | undefined,
	getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor ?? undefined,
};
