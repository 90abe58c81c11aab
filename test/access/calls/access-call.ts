import type { LightMyRequestResponse } from 'fastify';
import type { Selectable } from 'kysely';
import { expect } from 'vitest';
import type { Schema } from '#server/platform/database/schema.ts';
import { findRows, type RowFilter } from '../../support/app/database-rows.ts';
import type { AccessFixture, AccessRequest } from '../access-fixture.ts';
import type { Actor } from '../access-table.ts';

export type Check = (
	fixture: AccessFixture,
	response: LightMyRequestResponse,
	request: AccessRequest,
	actor: Actor,
) => void | Promise<void>;

/** How each actor calls a registered route, and how the response is checked. */
export interface AccessCall {
	/** Builds the request for a target that exists. */
	request(fixture: AccessFixture, actor: Actor): AccessRequest | Promise<AccessRequest>;
	/** Builds the request for a target that does not exist. When access is denied with 404, the response must be the same. */
	absent?(fixture: AccessFixture): AccessRequest;
	/** Checks the response and the effect of an allowed request. */
	check: Check | readonly Check[];
	/** Whether the response consists of bytes that can be requested in ranges. */
	hasRanges?: boolean;
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

/** Creates a GET call. `absent` is the URL of a target that does not exist. */
export function reads(
	url: string | ((fixture: AccessFixture, actor: Actor) => string),
	check: Check,
	{ absent, hasRanges = false }: { absent?: string; hasRanges?: boolean } = {},
): AccessCall {
	return {
		request: (fixture, actor) => ({ url: typeof url === 'string' ? url : url(fixture, actor) }),
		check,
		hasRanges,
		...(absent !== undefined && { absent: () => ({ url: absent }) }),
	};
}

/** Creates a call that saves the settings with this key, unchanged or changed by `change`. */
export function savesSettings(
	key: string,
	change: (current: Record<string, unknown>) => object = (current) => current,
	read = `/api/settings/${key}`,
): AccessCall {
	const url = `/api/settings/${key}`;
	return {
		async request(fixture) {
			const current = (await fixture.send('D', 'GET', { url: read })).json();
			return { url, body: { ...change(current), version: current.version }, target: String(current.version) };
		},
		check: savesVersion(key),
	};
}

/** Checks that the response and the stored settings have the next version; the target is the version before. */
export function savesVersion(key: string): Check {
	return async ({ deps }, response, { target }) => {
		const version = Number(target) + 1;
		expect(response.json()).toEqual({ version });
		expect(await findRows(deps, 'settings', { key })).toMatchObject([{ version }]);
	};
}

/** Checks that the JSON response contains these values. */
export function matches(expected: Expected): Check {
	return (fixture, response, request, actor) =>
		expect(response.json()).toMatchObject(resolve(expected, fixture, request, actor));
}

/** Checks that the JSON response equals this value. */
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

/** Checks that the response consists of these bytes. */
export function sends(bytes: Buffer | ((context: Context) => Buffer), contentType?: string): Check {
	return (fixture, { statusCode, headers, rawPayload }, { target = '' }, actor) => {
		expect(statusCode).toBe(200);
		if (contentType !== undefined) expect(headers['content-type']).toBe(contentType);
		expect(rawPayload).toEqual(Buffer.isBuffer(bytes) ? bytes : bytes({ fixture, actor, target }));
	};
}

/** Checks the rows of a table after the call. `where` returns the filter of these rows. */
export function leavesRows<Table extends keyof Schema>(
	table: Table,
	where: (target: string, context: Context) => RowFilter<Table>,
	rows: ReadonlyArray<Partial<Selectable<Schema[Table]>>>,
): Check {
	return async (fixture, _response, { target = '' }, actor) =>
		expect(await findRows(fixture.deps, table, where(target, { fixture, actor, target }))).toMatchObject(rows);
}
