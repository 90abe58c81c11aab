import type { LightMyRequestResponse } from 'fastify';
import type { Selectable } from 'kysely';
import { expect } from 'vitest';
import type { Schema } from '#server/platform/database/schema.ts';
import { findRows, type RowFilter } from '../../support/app/database-rows.ts';
import { multipart } from '../../support/app/http-client.ts';
import type { AccessFixture, AccessRequest, Actor } from '../access-fixture.ts';

export type Check = (
	fixture: AccessFixture,
	response: LightMyRequestResponse,
	request: AccessRequest,
	actor: Actor,
) => void | Promise<void>;

/**
 * The parts of a request that differ from the pattern of its route. By default, the URL is the pattern with these
 * parameters: `:owner` is the space of the actor, `:userId` is the conversation of the actor, and any other parameter
 * is `target`. A `url` that starts with `?` is appended to this URL.
 */
type Input = Partial<AccessRequest>;

/** How each actor calls a registered route, and how the response is checked. */
export interface AccessCall {
	/** Builds a request for an existing target. A string is the `url` of the request. */
	input: Input | string | ((fixture: AccessFixture, actor: Actor) => Input | string | Promise<Input | string>);
	/** These functions check the response of an allowed request, and the stored data. */
	checks: readonly Check[];
	/** The URL of a target that does not exist. By default, an unknown ID replaces the first parameter. */
	absentUrl?: string;
}

export function call(input: AccessCall['input'], ...checks: Check[]): AccessCall {
	return { input, checks };
}

/** Creates the default request after `act`. */
export function after(act: (fixture: AccessFixture, actor: Actor) => Promise<unknown>): AccessCall['input'] {
	return async (fixture, actor) => {
		await act(fixture, actor);
		return {};
	};
}

/** Creates a request for a new user, whose ID or email address is the target. */
export function forNewUser(
	bodyOf: (user: { id: string; email: string }) => object,
	target: 'id' | 'email' = 'id',
): AccessCall['input'] {
	return async ({ freshUser }) => {
		const user = await freshUser();
		return { body: bodyOf(user), target: user[target] };
	};
}

export async function buildRequest({ input }: AccessCall, pattern: string, fixture: AccessFixture, actor: Actor) {
	const built = typeof input === 'function' ? await input(fixture, actor) : input;
	const { url = '', ...request } = typeof built === 'string' ? { url: built } : built;
	if (url.startsWith('/')) return { ...request, url };
	const path = pattern
		.replace(':owner', fixture.spaces[actor])
		.replace(':userId', fixture.chats[actor])
		.replace(/:\w+/u, request.target ?? '');
	return { ...request, url: path + url };
}

export function absentUrlOf({ absentUrl }: AccessCall, pattern: string, { url }: AccessRequest): string {
	const [path = '', ...query] = url.split('?');
	const names = pattern.split('/');
	const at = names.findIndex((name) => name.startsWith(':'));
	if (absentUrl !== undefined) return absentUrl;
	if (at < 0) throw new Error(`The call ${pattern} needs \`absentUrl\`, because its URL has no parameter.`);
	const absent = names[at] === ':owner' ? 'nobody@example.com' : absentId;
	return [path.split('/').with(at, absent).join('/'), ...query].join('?');
}

/** The keys have the form `GET /path`. */
export type AccessCalls = Readonly<Record<string, AccessCall>>;

/** The arguments of a function that returns an expected value. `target` is '' for a request without a target. */
interface Context {
	fixture: AccessFixture;
	actor: Actor;
	target: string;
}

type Expected = Readonly<Record<string, unknown>> | readonly unknown[] | ((context: Context) => object);

function resolve(expected: Expected, fixture: AccessFixture, { target = '' }: AccessRequest, actor: Actor): object {
	return typeof expected === 'function' ? expected({ fixture, actor, target }) : expected;
}

export const absentId = 'AAAAAAAAAAAAAAAAAAAAAA';

export function fileForm(name: string, type: string, bytes: Buffer) {
	return multipart({}, { field: 'file', name, type, bytes });
}

/** Creates a call that saves the settings with this key. `change` changes their values before they are saved. */
export function savesSettings(
	key: string,
	change: (current: Record<string, unknown>) => object = (current) => current,
	read = `/api/settings/${key}`,
): AccessCall {
	return call(async (fixture) => {
		const current = (await fixture.send('D', 'GET', { url: read })).json();
		return { body: { ...change(current), version: current.version }, target: String(current.version) };
	}, savesVersion(key));
}

/** Checks that the response and the stored settings have the next version. The target is the previous version. */
export function savesVersion(key: string): Check {
	return async ({ deps }, response, { target }) => {
		const version = Number(target) + 1;
		expect(response.json()).toEqual({ version });
		expect(await findRows(deps, 'settings', { key })).toMatchObject([{ version }]);
	};
}

export function matches(expected: Expected): Check {
	return (fixture, response, request, actor) =>
		expect(response.json()).toMatchObject(resolve(expected, fixture, request, actor));
}

export function equals(expected: Expected): Check {
	return (fixture, response, request, actor) =>
		expect(response.json()).toEqual(resolve(expected, fixture, request, actor));
}

export function lists(expected: Expected): Check {
	return (fixture, response, request, actor) =>
		expect(response.json().items).toContainEqual(expect.objectContaining(resolve(expected, fixture, request, actor)));
}

export function shows(...words: string[]): Check {
	return (_world, { statusCode, body }) => {
		expect(statusCode).toBe(200);
		for (const word of words) expect(body).toContain(word);
	};
}

/** Checks that the response is a CSV file with one row of data, and that this row contains the words. */
export function sendsCsvRow(words: string): Check {
	return (_world, { headers, body }) => {
		expect(headers['content-type']).toContain('text/csv');
		expect(body.trim().split('\r\n')).toHaveLength(2);
		expect(body).toContain(words);
	};
}

export function sends(bytes: Buffer | ((context: Context) => Buffer), contentType?: string): Check {
	return (fixture, { statusCode, headers, rawPayload }, { target = '' }, actor) => {
		expect(statusCode).toBe(200);
		if (contentType !== undefined) expect(headers['content-type']).toBe(contentType);
		expect(rawPayload).toEqual(Buffer.isBuffer(bytes) ? bytes : bytes({ fixture, actor, target }));
	};
}

/** Checks that a range request for the same URL returns the requested part of the bytes. */
export const sendsRanges: Check = async (fixture, { rawPayload }, request, actor) => {
	const part = await fixture.send(actor, 'GET', { ...request, headers: { ...request.headers, range: 'bytes=1-3' } });
	expect(part.statusCode).toBe(206);
	expect(part.rawPayload).toEqual(rawPayload.subarray(1, 4));
};

/** Checks that exactly these rows match the filter after the call. */
export function leavesRows<Table extends keyof Schema>(
	table: Table,
	where: (target: string, context: Context) => RowFilter<Table>,
	rows: ReadonlyArray<Partial<Selectable<Schema[Table]>>>,
): Check {
	return async (fixture, _response, { target = '' }, actor) =>
		expect(await findRows(fixture.deps, table, where(target, { fixture, actor, target }))).toMatchObject(rows);
}
