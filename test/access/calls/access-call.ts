import type { LightMyRequestResponse } from 'fastify';
import type { Selectable } from 'kysely';
import { expect } from 'vitest';
import type { Schema } from '#server/platform/database/schema.ts';
import { findRows, type RowFilter } from '../../support/app/database-rows.ts';
import { multipart } from '../../support/app/http-client.ts';
import type { AccessFixture, AccessRequest } from '../access-fixture.ts';
import type { Actor } from '../access-table.ts';

export type Check = (
	fixture: AccessFixture,
	response: LightMyRequestResponse,
	request: AccessRequest,
	actor: Actor,
) => void | Promise<void>;

/**
 * What a request of a route consists of, besides its method. Without `url`, the address is the route's pattern with the
 * space that the actor requests as `:owner`, the conversation as `:userId`, and `target` as any other parameter; a `url`
 * that starts with `?` is added to it.
 */
type Input = Partial<AccessRequest>;

/** How each actor calls a registered route, and how the response is checked. */
export interface AccessCall {
	/** Builds the request for a target that exists; a string is the `url`. */
	input: Input | string | ((fixture: AccessFixture, actor: Actor) => Input | string | Promise<Input | string>);
	/** Check the response and the effect of an allowed request. */
	checks: readonly Check[];
	/** The address of a target that does not exist; by default that of the request with another first parameter. */
	absentUrl?: string;
}

/** Creates a call whose response must pass all checks. */
export function call(input: AccessCall['input'], ...checks: Check[]): AccessCall {
	return { input, checks };
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
	if (at < 0) throw new Error(`The call ${pattern} needs \`absentUrl\`, because a cell has the outcome 404.`);
	const absent = names[at] === ':owner' ? 'nobody@example.com' : absentId;
	return [path.split('/').with(at, absent).join('/'), ...query].join('?');
}

/** Calls by the method and pattern of the route, as in the access table. */
export type AccessCalls = Readonly<Record<string, AccessCall>>;

/** The values that an expected value can depend on. `target` is '' for a request without a target. */
interface Context {
	fixture: AccessFixture;
	actor: Actor;
	target: string;
}

/** An expected object or array, or a function that returns it. */
type Expected = Readonly<Record<string, unknown>> | readonly unknown[] | ((context: Context) => object);

function resolve(expected: Expected, fixture: AccessFixture, { target = '' }: AccessRequest, actor: Actor): object {
	return typeof expected === 'function' ? expected({ fixture, actor, target }) : expected;
}

/** An ID that no node, document, session or user has. */
export const absentId = 'AAAAAAAAAAAAAAAAAAAAAA';

/** Creates the input of a request that uploads one file. */
export function fileForm(name: string, type: string, bytes: Buffer) {
	return multipart({}, { field: 'file', name, type, bytes });
}

/** Creates a call that saves the settings with this key, unchanged or changed by `change`. */
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

/** Checks that the response and the stored settings have the next version; the target is the version before. */
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

/** Checks that the list in the response contains an item with these values. */
export function lists(expected: Expected): Check {
	return (fixture, response, request, actor) =>
		expect(response.json().items).toContainEqual(expect.objectContaining(resolve(expected, fixture, request, actor)));
}

/** Checks that the response is a page or text that contains these words. */
export function shows(...words: string[]): Check {
	return (_world, { statusCode, body }) => {
		expect(statusCode).toBe(200);
		for (const word of words) expect(body).toContain(word);
	};
}

/** Checks that the response is a CSV file with one row, which contains these words. */
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

/** Checks that a part of the bytes of the response can be requested. */
export const sendsRanges: Check = async (fixture, { rawPayload }, request, actor) => {
	const part = await fixture.send(actor, 'GET', { ...request, headers: { ...request.headers, range: 'bytes=1-3' } });
	expect(part.statusCode).toBe(206);
	expect(part.rawPayload).toEqual(rawPayload.subarray(1, 4));
};

/** Checks the rows of a table after the call. `where` returns the filter of these rows. */
export function leavesRows<Table extends keyof Schema>(
	table: Table,
	where: (target: string, context: Context) => RowFilter<Table>,
	rows: ReadonlyArray<Partial<Selectable<Schema[Table]>>>,
): Check {
	return async (fixture, _response, { target = '' }, actor) =>
		expect(await findRows(fixture.deps, table, where(target, { fixture, actor, target }))).toMatchObject(rows);
}
