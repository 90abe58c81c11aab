import type { AnyContractProcedure } from '@orpc/contract';
import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import { contract } from '#contract/contract.ts';
import type { ErrorBody } from '#contract/core/errors.ts';
import { AppError, type ErrorCode } from '#server/platform/app-error.ts';
import {
	type AccessFixture,
	type AccessRequest,
	type Actor,
	createAccessFixture,
} from '../../access/access-fixture.ts';
import { accessTable, outcomesOf } from '../../access/access-table.ts';
import { buildRequest } from '../../access/calls/access-call.ts';
import { dumpDatabase } from '../app/database-dump.ts';
import { type Change, changesOf, extraText, type InputSchema } from './contract-inputs.ts';

/** A visitor, a member, the same member with the URL of another user's data, and an admin. */
const callers = ['A', 'O', 'X', 'D'] as const satisfies Actor[];

const endpoints = new Map(
	Object.values(contract)
		.flatMap((group) => Object.values(group) as AnyContractProcedure[])
		.map((procedure) => {
			const { method, path = '' } = procedure['~orpc'].route;
			return [`${method} ${path.replace(/\{(\w+)\}/gu, ':$1')}`, procedure['~orpc']];
		}),
);

/** The number of inputs for which a correct request, whose target often has to be created first, is changed. */
const inputsPerRequest = 8;

/** Names in the query of endpoints that are not in the contract. */
const otherQueryNames = [
	...'ids format download thumb person kind from to search status ageMs lang date amount text version'.split(' '),
	...'clientId authorId x y width height state source'.split(' '),
];

interface Extent {
	inputsPerRoute: number;
	/** The number of routes after which the app is replaced, because its tables grow. */
	routesPerFixture: number;
	seed: number;
}

/**
 * Calls every route of the access table with generated inputs, and checks each response. Prints the seed, and the number
 * of inputs and of accepted ones for each route. A failed test prints the smallest input that failed.
 */
export function checkContract({ inputsPerRoute, routesPerFixture, seed }: Extent): void {
	let current: { fixture: AccessFixture; actorRows: ActorRows } | undefined;
	const openFixture = async () => {
		if (current === undefined) {
			const fixture = await createAccessFixture();
			current = { fixture, actorRows: await readActors(fixture) };
		}
		return current;
	};
	const counts: string[] = [];
	let total = 0;
	afterAll(async () => {
		await current?.fixture.close();
		console.log(`seed ${seed}: ${total} inputs; accepted of sent: ${counts.join(', ')}`);
	});
	const routes = accessTable.flatMap((row) => Object.entries(row.calls).map(([route, call]) => ({ route, call, row })));

	test.for(routes.map(({ route, ...of }) => [route, of] as const))('%s', async ([route, { call, row }]) => {
		const endpoint = endpoints.get(route);
		const index = routes.findIndex((one) => one.route === route);
		if (index % routesPerFixture === 0) {
			await current?.fixture.close();
			current = undefined;
		}
		const outcomes = outcomesOf(row);
		const schema = endpoint?.inputSchema as z.ZodType | undefined;
		const inputSchema = schema === undefined ? {} : z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
		const changes = changesOf(inputSchema as InputSchema, endpoint === undefined ? otherQueryNames : []);
		const callersOfRoute = callers.filter((actor) => outcomes[actor] !== '–');
		const [, pattern = ''] = route.split(' ');
		const requests = new Map<Actor, Promise<AccessRequest>>();
		const getBase = async (actor: Actor) => {
			const request = requests.get(actor) ?? buildRequest(call, pattern, (await openFixture()).fixture, actor);
			requests.set(actor, request);
			return request;
		};
		let [sent, accepted] = [0, 0];
		const property = fc.asyncProperty(
			fc.constantFrom<Actor[]>(...callersOfRoute, 'D', 'D'),
			changes,
			async (actor, change) => {
				const { fixture, actorRows } = await openFixture();
				if (sent % inputsPerRequest === 0) requests.clear();
				sent += 1;
				const isCompared = sent % 8 === 0;
				const context = { fixture, actorRows, route, getBase, actor, outcome: outcomes[actor], schema, isCompared };
				if (await checkInput(context, change, endpoint?.outputSchema as z.ZodType | undefined)) accepted += 1;
			},
		);
		try {
			await fc.assert(property, { numRuns: inputsPerRoute, seed: seed + index });
		} finally {
			total += sent;
			counts.push(`${route} ${accepted}/${sent}`);
		}
	});
}

type ActorRows = Awaited<ReturnType<typeof readActors>>;

interface InputContext {
	fixture: AccessFixture;
	/** The rows at the start. */
	actorRows: ActorRows;
	route: string;
	getBase: (actor: Actor) => Promise<AccessRequest>;
	actor: Actor;
	outcome: string;
	schema: z.ZodType | undefined;
	/** Whether the database is compared, which takes long. */
	isCompared: boolean;
}

/** Sends one input and checks the response. @returns whether the input was accepted */
async function checkInput(
	context: InputContext,
	changes: readonly Change[],
	output: z.ZodType | undefined,
): Promise<boolean> {
	const { fixture, route, actor, outcome, schema } = context;
	const [method = '', pattern = ''] = route.split(' ');
	const request = applyChanges(await context.getBase(actor), method, pattern, changes);
	const before = context.isCompared ? await dumpDatabase(fixture.deps) : null;
	const response = await fixture.send(actor, method, request);
	if (request.isStream === true && response.statusCode < 400) {
		response.stream().destroy();
		return true;
	}
	const body = request.isStream === true ? Buffer.concat(await response.stream().toArray()).toString() : response.body;
	const isError = response.statusCode >= 400;
	const after = context.isCompared ? await dumpDatabase(fixture.deps) : null;
	if (method !== 'GET' && !isError) await restoreActors(fixture, context.actorRows);

	// 501: an extension of tus that is not supported.
	if (pattern !== '/api/uploads' || response.statusCode !== 501)
		expect(response.statusCode, body.slice(0, 500)).toBeLessThan(500);
	if (isError && method !== 'HEAD') expectErrorBody(response, body, pattern, request);
	const isPathChanged = changes.some(
		(change) => 'path' in change || ('set' in change && pattern.includes(`:${change.set}`)),
	);
	const isCookieChanged = changes.some((change) => 'header' in change && change.header === 'cookie');
	const denied = { '1': 401, '3': 403 }[outcome];
	const hasOrigin = request.headers?.origin !== undefined;
	if (denied !== undefined && !isPathChanged && !isCookieChanged && !hasOrigin)
		expect(response.statusCode).toBe(denied);
	if (denied !== undefined) {
		expect(isError, `${response.statusCode} ${body.slice(0, 500)}`).toBe(true);
		if (before !== null) expect(after).toEqual(before);
	}
	if (schema !== undefined && !isError) {
		const input = readInput(request, method, pattern);
		expect(input, 'an accepted body').not.toBeNull();
		expect(schema.safeParse(input).error?.message, 'the contract about an accepted input').toBeUndefined();
	}
	if (output !== undefined && !isError)
		expect(output.safeParse(JSON.parse(body)).error?.message, 'the contract about the response').toBeUndefined();
	if (after !== null && 'set' in (changes[0] ?? {})) {
		// An extra field is not stored; a field of the contract never has this text.
		expect(JSON.stringify(after)).not.toContain(extraText);
	}
	if (actor !== 'D') expectNoForeignData(fixture, actor, request, body);
	return !isError;
}

function applyChanges(base: AccessRequest, method: string, pattern: string, changes: readonly Change[]): AccessRequest {
	let [path = '', search = ''] = base.url.split('?');
	const query = new URLSearchParams(search);
	let { body } = base;
	let headers = { ...base.headers };
	const names = pattern.split('/');
	const setParameter = (at: number, text: string) => {
		path = path.split('/').with(at, text).join('/');
	};
	for (const change of changes) {
		if ('set' in change) {
			const { set, to } = change;
			const at = names.indexOf(`:${set}`);
			if (at >= 0) setParameter(at, encodeURIComponent(textOf(to).toWellFormed()));
			else if (method === 'GET' || method === 'DELETE' || Buffer.isBuffer(body) || typeof body === 'string') {
				query.delete(set);
				for (const value of [to].flat()) if (value !== undefined) query.append(set, textOf(value));
			} else body = withField(body, set, to);
		} else if ('path' in change) {
			const at = names.findLastIndex((name) => name.startsWith(':'));
			setParameter(at < 0 ? names.length - 1 : at, change.path);
		} else if ('header' in change) {
			headers = { ...headers, [change.header]: change.to };
		} else if ('type' in change) {
			body = change.body;
			headers = { ...headers, 'content-type': change.type };
		} else if (body !== undefined) {
			const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
			const start = Math.floor(change.at * bytes.length);
			const end = start + Math.floor(change.length * (bytes.length - start));
			if (!Buffer.isBuffer(base.body) && typeof base.body !== 'string')
				headers = { 'content-type': 'application/json', ...headers };
			body = Buffer.concat([bytes.subarray(0, start), Buffer.from(change.by), bytes.subarray(end)]);
		}
	}
	const url = query.size === 0 ? path : `${path}?${query}`;
	return { ...base, url, headers, ...(method !== 'GET' && { body }) };
}

const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function withField(body: unknown, name: string, value: unknown): unknown {
	const fields = Object.entries({ ...(body as object) }).filter(([other]) => other !== name);
	return Object.fromEntries(value === undefined ? fields : [...fields, [name, value]]);
}

/** Reads the input of an endpoint as the server does; null: a malformed URL, or a body that is no JSON object. */
function readInput({ url, body }: AccessRequest, method: string, pattern: string): object | null {
	const [path = '', search = ''] = url.split('?');
	const parameters: Record<string, string> = {};
	try {
		for (const [at, name] of pattern.split('/').entries())
			if (name.startsWith(':')) parameters[name.slice(1)] = decodeURIComponent(path.split('/')[at] ?? '');
	} catch {
		return null;
	}
	if (method === 'GET' || method === 'DELETE') {
		const query = new URLSearchParams(search);
		const values = [...new Set(query.keys())].map((name) => [name, query.getAll(name)] as const);
		return { ...Object.fromEntries(values.map(([name, all]) => [name, all.length > 1 ? all : all[0]])), ...parameters };
	}
	if (body === undefined || (typeof body === 'string' && body === '')) return parameters;
	try {
		const parsed =
			Buffer.isBuffer(body) || typeof body === 'string'
				? JSON.parse(body.toString().replace(/^\ufeff/u, ''))
				: JSON.parse(JSON.stringify(body));
		return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
			? { ...parsed, ...parameters }
			: null;
	} catch {
		return null;
	}
}

/** What a sentence for a user must not contain: keys of messages, values of JavaScript, traces, SQL. */
const leak = /^error_|undefined|\[object|\bat .+\.ts:|SQLITE|\bselect .* from /u;

function expectErrorBody(
	{ statusCode, headers }: LightMyRequestResponse,
	text: string,
	pattern: string,
	request: AccessRequest,
): void {
	if (statusCode === 416) {
		expect(headers['content-range']).toMatch(/^bytes \*\/\d+$/u);
		return;
	}
	// A browser that opens a link gets a page.
	const mayBePage = !pattern.startsWith('/api/') || request.headers?.accept?.includes('text/html');
	if (mayBePage && headers['content-type']?.startsWith('text/html')) return;
	// `@tus/server` sends its own sentence for a request that does not follow the protocol, and every error as plain text.
	const isOfTus = pattern.startsWith('/api/uploads') && headers['content-type']?.startsWith('text/plain');
	if (isOfTus && !text.startsWith('{')) {
		expect(text).toMatch(/^\p{L}[^\n]{3,150}\n?$/u);
		expect(text).not.toMatch(leak);
		return;
	}
	if (!isOfTus) expect(headers['content-type'], text.slice(0, 500)).toMatch(/^application\/json/u);
	const { code, status, message, fields = {} } = JSON.parse(text) as ErrorBody;
	expect(status).toBe(statusCode);
	expect(new AppError(code as ErrorCode).status).toBe(statusCode);
	for (const sentence of [message, ...Object.values(fields)]) {
		expect(sentence).toMatch(/\p{L}{2}/u);
		expect(sentence).not.toMatch(leak);
	}
}

/** Checks that the response to a visitor or member contains no other member's address. */
function expectNoForeignData(fixture: AccessFixture, actor: Actor, request: AccessRequest, body: string): void {
	const sent = `${decodeURIComponent(encodeURIComponent(request.url.toWellFormed()))}${JSON.stringify(request.body)}`;
	const own = fixture.emails[actor === 'X' ? 'X' : 'O'] ?? '';
	const foreign = [...Object.values(fixture.emails), 'bystander@example.com', 'sharer@example.com'];
	for (const email of foreign.filter((email) => email !== own && !sent.includes(email.split('@')[0] ?? '')))
		if (email !== fixture.emails.D) expect(body).not.toContain(email);
}

/** The rows of the actors and their sessions, before any input. */
async function readActors({ deps: { db }, userIds }: AccessFixture) {
	const users = await db.selectFrom('users').selectAll().where('id', 'in', Object.values(userIds)).execute();
	const sessions = await db.selectFrom('sessions').selectAll().execute();
	return { users, sessions };
}

/** Restores what calls change of the actors, their sessions and the requirement of two-factor sign-in. */
async function restoreActors({ deps: { db } }: AccessFixture, { users, sessions }: ActorRows): Promise<void> {
	for (const user of users)
		await db
			.insertInto('users')
			.values(user)
			.onConflict((on) => on.column('id').doUpdateSet(user))
			.execute();
	for (const session of sessions)
		await db
			.insertInto('sessions')
			.values(session)
			.onConflict((on) => on.column('id').doUpdateSet(session))
			.execute();
	await db.deleteFrom('settings').where('key', '=', 'security').execute();
}
