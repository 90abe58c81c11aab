import type { AnyContractProcedure, InferSchemaInput } from '@orpc/contract';
import {
	type AnyProcedure,
	type AnyRouter,
	call,
	implement,
	isProcedure,
	type Lazyable,
	ORPCError,
	type ProcedureImplementer,
} from '@orpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { EndpointMeta, InputOf } from '#contract/core/endpoint.ts';
import type { Caller } from '../actor.ts';
import { AppError } from '../app-error.ts';

const defaultBodyLimitBytes = 64 * 1024;

export interface ApiContext {
	caller: Caller;
	/** For the few endpoints that set a cookie. */
	reply: FastifyReply;
}

/** A handler for each endpoint; handlers of endpoints whose response has no fields may return nothing. */
type Handlers<Endpoints extends Record<string, AnyContractProcedure>> = {
	[Name in keyof Endpoints]: (
		input: InputOf<Endpoints[Name]>,
		caller: Caller,
		reply: FastifyReply,
	) => MaybePromise<ResultOf<InferSchemaInput<NonNullable<Endpoints[Name]['~orpc']['outputSchema']>>>>;
};
type MaybePromise<T> = T | Promise<T>;
// biome-ignore lint/suspicious/noConfusingVoidType: the result of a handler
type ResultOf<Output> = Output extends Record<string, never> ? Output | void : Output;

export function implementEndpoints<Endpoints extends Record<string, AnyContractProcedure>>(
	endpoints: Endpoints,
	handlers: Handlers<Endpoints>,
): Record<keyof Endpoints, AnyProcedure> {
	const implementers = implement(endpoints).$context<ApiContext>() as unknown as Record<string, Implementer>;
	const procedures = Object.entries(handlers).map(([name, run]) => [
		name,
		implementers[name]?.handler(
			async ({ input, context }) => (await run(input as never, context.caller, context.reply)) ?? {},
		),
	]);
	return Object.fromEntries(procedures);
}

// biome-ignore lint/suspicious/noExplicitAny: the types depend on the endpoint
type Implementer = ProcedureImplementer<ApiContext, ApiContext, any, any, any, any>;

/**
 * Registers each procedure of the JSON API as a Fastify route. Fastify checks content type and size, then the guard
 * checks access, then the contract parses the input: path parameters together with the query (GET, DELETE) or the body.
 */
export function registerApi(app: FastifyInstance, router: AnyRouter): void {
	for (const procedure of proceduresOf(router)) {
		const { route, meta } = procedure['~orpc'];
		const { bodyLimitBytes = defaultBodyLimitBytes, ...config } = meta as EndpointMeta;
		const method = (route.method ?? 'POST') as HTTPMethods;
		if (route.path === undefined) throw new Error('A procedure of the contract has no path.');
		app.route({
			method,
			url: route.path.replace(/\{(\w+)\}/gu, ':$1'),
			bodyLimit: bodyLimitBytes,
			config,
			handler: (request, reply) => runProcedure(procedure, request, reply),
		});
	}
}

async function runProcedure(procedure: AnyProcedure, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
	const hasBody = request.method !== 'GET' && request.method !== 'HEAD' && request.method !== 'DELETE';
	if (hasBody) requireJson(request);
	// The typed client sends no body when all input is in the path.
	const { body = {} } = request;
	if (hasBody && (typeof body !== 'object' || body === null || Array.isArray(body)))
		throw new AppError('INVALID_INPUT');
	const input = (hasBody ? body : request.query) as Record<string, unknown>;
	const context: ApiContext = { caller: request.caller, reply };
	try {
		return await call(procedure, { ...input, ...(request.params as object) }, { context });
	} catch (error) {
		if (!(error instanceof ORPCError)) throw error;
		if (error.code === 'BAD_REQUEST') throw new AppError('INVALID_INPUT', { fields: fieldsOf(error.data) });
		throw error.cause ?? error;
	}
}

/**
 * Requires the content type of JSON, because Fastify lets those of forms and uploads through on every route. A request
 * without a body needs no content type.
 * @throws AppError WRONG_CONTENT_TYPE
 */
export function requireJson({ headers }: FastifyRequest): void {
	const { 'content-type': type = 'application/json' } = headers;
	if (!/^application\/json\b/iu.test(type)) throw new AppError('WRONG_CONTENT_TYPE');
}

/** Returns a message key for each input field that the contract refused. */
function fieldsOf(data: unknown): Record<string, string> {
	const issues =
		(data as { issues?: Array<{ message: string; path?: Array<PropertyKey | { key: PropertyKey }> }> } | undefined)
			?.issues ?? [];
	const fields: Record<string, string> = {};
	for (const { message, path } of issues) {
		const name = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
		fields[name] ??= message.startsWith('error_') ? message : 'error_invalid_input';
	}
	return fields;
}

function proceduresOf(router: Lazyable<AnyRouter>): AnyProcedure[] {
	if (isProcedure(router)) return [router];
	return Object.values(router as Record<string, AnyRouter>).flatMap(proceduresOf);
}
