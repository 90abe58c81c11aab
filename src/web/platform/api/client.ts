import type { ClientOptions } from '@orpc/client';
import type { ContractRouterClient, InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import type { RouterUtils } from '@orpc/tanstack-query';
import { type Contract, contract } from '#contract/contract.ts';
import { limits } from '#contract/core/limits.ts';
import { readFailedCall } from './failure.ts';
import { recordServerTime } from './server-clock.ts';

type Input = Record<string, unknown> | undefined;
type Call = (input: Input, options?: Pick<ClientOptions<object>, 'signal'>) => Promise<unknown>;
interface Endpoint {
	'~orpc': { route: { method: string; path: string } };
}

/**
 * Calls an endpoint as oRPC's `OpenAPILink` does, in a tenth of its size: measured, 7 KB less (Brotli) for the first
 * visit of a screen. Parameters of the path are taken from the input; the rest is the query of a GET, or a JSON body.
 * @throws FailedCall with a `message` in the user's language
 */
async function callEndpoint({ method, path }: Endpoint['~orpc']['route'], input: Input, signal?: AbortSignal) {
	const rest = { ...input };
	const pathname = path.replaceAll(/\{\+?([^}]+)\}/gu, (_placeholder, name: string) => {
		const value = String(rest[name]);
		delete rest[name];
		return encodeURIComponent(value);
	});
	const hasRest = Object.keys(rest).length > 0 || (input !== undefined && pathname === path);
	const query = method === 'GET' ? new URLSearchParams(listParameters(rest)).toString() : '';
	const hasBody = method !== 'GET' && hasRest;
	const response = await fetch(query === '' ? pathname : `${pathname}?${query}`, {
		method,
		redirect: 'manual',
		...(signal && { signal }),
		...(hasBody && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(rest) }),
	});
	recordServerTime(response.headers.get('date'));
	const text = await response.text();
	if (!response.ok) throw readFailedCall(response.status, parseJson(text));
	return text === '' ? undefined : JSON.parse(text);
}

/** Lists the parameters of a query: `a[0]` for the first element of an array, `a[b]` for a field of an object. */
function listParameters(value: unknown, name = ''): string[][] {
	if (value === undefined || value === null) return [];
	if (typeof value !== 'object') return [[name, String(value)]];
	return Object.entries(value).flatMap(([key, each]) => listParameters(each, name === '' ? key : `${name}[${key}]`));
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The options of TanStack Query for an endpoint, with the keys of `@orpc/tanstack-query`. */
function queryUtils(path: string[], call: Call) {
	const key = (state: { type?: string; input?: unknown } = {}) => [
		path,
		Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined)),
	];
	const queryKey = ({ input }: { input?: Input } = {}) => key({ type: 'query', input });
	return {
		key,
		queryKey,
		queryOptions: (options: { input?: Input } = {}) => ({
			queryFn: ({ signal }: { signal: AbortSignal }) => call(options.input, { signal }),
			...options,
			queryKey: queryKey(options),
		}),
		infiniteOptions: (options: { input: (page: unknown) => Input; initialPageParam: unknown }) => ({
			queryFn: ({ pageParam, signal }: { pageParam: unknown; signal: AbortSignal }) =>
				call(options.input(pageParam), { signal }),
			...options,
			queryKey: key({ type: 'infinite', input: options.input(options.initialPageParam) }),
		}),
	};
}

const isEndpoint = (part: object): part is Endpoint => '~orpc' in part;

/** Returns an object of the contract's shape, with `make` of each endpoint, and `group` of each group's objects. */
function mapEndpoints<T extends object>(
	part: object,
	make: (endpoint: Endpoint, path: string[]) => T,
	groupUtils: (path: string[]) => object = () => ({}),
	path: string[] = [],
): object {
	if (isEndpoint(part)) return make(part, path);
	const entries = Object.entries(part).map(([name, each]) => [
		name,
		mapEndpoints(each, make, groupUtils, [...path, name]),
	]);
	return { ...groupUtils(path), ...Object.fromEntries(entries) };
}

const callOf =
	(endpoint: Endpoint): Call =>
	(input, options) =>
		callEndpoint(endpoint['~orpc'].route, input, options?.signal);

/** The client of the JSON API. */
export const client = mapEndpoints(contract, callOf) as ContractRouterClient<Contract>;

/** TanStack Query options of the calls: `api.orders.list.queryOptions({ input })`, `.infiniteOptions()`, `.key()`. */
export const api = mapEndpoints(
	contract,
	(endpoint, path) => queryUtils(path, callOf(endpoint)),
	(path) => ({ key: () => [path, {}] }),
) as Used<RouterUtils<ContractRouterClient<Contract>>>;

type Used<Utils> = Utils extends { queryOptions: unknown; key: unknown; queryKey: unknown; infiniteOptions: unknown }
	? Pick<Utils, 'key' | 'queryKey' | 'queryOptions' | 'infiniteOptions'>
	: { [Name in keyof Utils]: Name extends 'key' ? Utils[Name] : Used<Utils[Name]> };

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
