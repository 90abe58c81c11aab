import { type AnyProcedure, type AnyRouter, call, isProcedure, type Lazyable, ORPCError } from '@orpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { EndpointMeta } from '#contract/core/endpoint.ts';
import type { Caller } from '../actor.ts';
import { AppError } from '../app-error.ts';

const defaultBodyLimitBytes = 64 * 1024;

/** Arguments of an endpoint's handler besides its input. */
export interface ApiContext {
	caller: Caller;
	/** For the few endpoints that set a cookie. */
	reply: FastifyReply;
}

/**
 * Registers each procedure of the JSON API as a Fastify route. Fastify checks content type and size, the guard checks
 * access, and only then the contract parses the input: the path parameters with the query (GET, DELETE) or the body.
 */
export function registerApi(app: FastifyInstance, router: AnyRouter): void {
	for (const procedure of proceduresOf(router)) {
		const { route, meta } = procedure['~orpc'];
		const {
			access,
			bodyLimitBytes,
			isForSetUp = false,
			isOpenInView = false,
			tellsSuccess = false,
		} = meta as EndpointMeta;
		const method = (route.method ?? 'POST') as HTTPMethods;
		if (route.path === undefined) throw new Error('A procedure of the contract has no path.');
		app.route({
			method,
			url: route.path.replace(/\{(\w+)\}/gu, ':$1'),
			bodyLimit: bodyLimitBytes ?? defaultBodyLimitBytes,
			config: { access, isForSetUp, isOpenInView, tellsSuccess },
			handler: (request, reply) => runProcedure(procedure, request, reply),
		});
	}
}

async function runProcedure(procedure: AnyProcedure, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
	const hasBody = request.method !== 'GET' && request.method !== 'HEAD' && request.method !== 'DELETE';
	// The typed client sends no body when all input is in the path.
	const body = request.body === undefined && !request.isMultipart() ? {} : request.body;
	if (hasBody && (typeof body !== 'object' || body === null || Array.isArray(body))) {
		// Only routes that expect a form parse its body; this one does not.
		throw new AppError(request.isMultipart() ? 'WRONG_CONTENT_TYPE' : 'INVALID_INPUT');
	}
	const given = (hasBody ? body : request.query) as Record<string, unknown>;
	const context: ApiContext = { caller: request.caller, reply };
	try {
		return await call(procedure, { ...given, ...(request.params as object) }, { context });
	} catch (error) {
		if (!(error instanceof ORPCError)) throw error;
		if (error.code === 'BAD_REQUEST') throw new AppError('INVALID_INPUT', { fields: fieldsOf(error.data) });
		throw error.cause ?? error;
	}
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

/** Returns every procedure of a router, depth first. */
function proceduresOf(router: Lazyable<AnyRouter>): AnyProcedure[] {
	if (isProcedure(router)) return [router];
	return Object.values(router as Record<string, AnyRouter>).flatMap(proceduresOf);
}
