import type { LightMyRequestResponse } from 'fastify';
import type { Selectable } from 'kysely';
import { expect } from 'vitest';
import type { Schema } from '#server/platform/database/schema.ts';
import { findRows, type RowFilter } from '../../support/app/database-rows.ts';
import type { AccessFixture, AccessRequest } from '../access-fixture.ts';
import type { Actor } from '../access-table.ts';

export type Check = (
	world: AccessFixture,
	response: LightMyRequestResponse,
	request: AccessRequest,
	actor: Actor,
) => void | Promise<void>;

/** Describes how each actor calls a registered route, and how the response is checked. */
export interface AccessCall {
	/** Builds the request for a target that exists. */
	request(world: AccessFixture, actor: Actor): AccessRequest | Promise<AccessRequest>;
	/**
	 * Builds the request for a target that does not exist. A response that denies access with 404 must equal its
	 * response.
	 */
	absent?(world: AccessFixture): AccessRequest;
	/** Checks that an allowed request took effect and that its response is right. */
	check: Check | readonly Check[];
	/** Whether the response consists of bytes that can be requested in ranges. */
	hasRanges?: boolean;
}

/** Calls by method and pattern, as the table names them. */
export type AccessCalls = Readonly<Record<string, AccessCall>>;

/** What an expected value can depend on. `target` is empty when the request names none. */
interface Context {
	world: AccessFixture;
	actor: Actor;
	target: string;
}

/** An expected object or array, or a function that returns it. */
type Expected = Readonly<Record<string, unknown>> | readonly unknown[] | ((context: Context) => object);

function resolve(expected: Expected, world: AccessFixture, { target = '' }: AccessRequest, actor: Actor): object {
	return typeof expected === 'function' ? expected({ world, actor, target }) : expected;
}

/** The ID of no node, document or session. */
export const absentId = 'AAAAAAAAAAAAAAAAAAAAAA';

/** Creates the call that reads an address. `absent` is the address of a target that does not exist. */
export function reads(
	url: string | ((world: AccessFixture, actor: Actor) => string),
	check: Check,
	{ absent, hasRanges = false }: { absent?: string; hasRanges?: boolean } = {},
): AccessCall {
	return {
		request: (world, actor) => ({ url: typeof url === 'string' ? url : url(world, actor) }),
		check,
		hasRanges,
		...(absent !== undefined && { absent: () => ({ url: absent }) }),
	};
}

/** Creates the call that saves the settings of this key unchanged, or changed by `change`. */
export function savesSettings(
	key: string,
	change: (current: Record<string, unknown>) => object = (current) => current,
	read = `/api/settings/${key}`,
): AccessCall {
	const url = `/api/settings/${key}`;
	return {
		async request(world) {
			const current = (await world.send('D', 'GET', { url: read })).json();
			return { url, body: { ...change(current), version: current.version }, target: String(current.version) };
		},
		check: savesVersion(key),
	};
}

/** Checks that the answer and the settings of this key have the version after the target. */
export function savesVersion(key: string): Check {
	return async ({ deps }, response, { target }) => {
		const version = Number(target) + 1;
		expect(response.json()).toEqual({ version });
		expect(await findRows(deps, 'settings', { key })).toMatchObject([{ version }]);
	};
}

/** Checks that the JSON of the answer has these values, and perhaps more. */
export function matches(expected: Expected): Check {
	return (world, response, request, actor) =>
		expect(response.json()).toMatchObject(resolve(expected, world, request, actor));
}

/** Checks that the JSON of the answer is this. */
export function equals(expected: Expected): Check {
	return (world, response, request, actor) => expect(response.json()).toEqual(resolve(expected, world, request, actor));
}

/** Checks that the list of the answer contains an item with these values. */
export function lists(expected: Expected): Check {
	return (world, response, request, actor) =>
		expect(response.json().items).toContainEqual(expect.objectContaining(resolve(expected, world, request, actor)));
}

/** Checks that the answer is a page or text that contains these words. */
export function shows(...words: string[]): Check {
	return (_world, { statusCode, body }) => {
		expect(statusCode).toBe(200);
		for (const each of words) expect(body).toContain(each);
	};
}

/** Checks that the answer is a CSV file with one row, which contains these words. */
export function sendsCsvRow(words: string): Check {
	return (_world, { headers, body }) => {
		expect(headers['content-type']).toContain('text/csv');
		expect(body.trim().split('\r\n')).toHaveLength(2);
		expect(body).toContain(words);
	};
}

/** Checks that the answer consists of these bytes. */
export function sends(bytes: Buffer | ((context: Context) => Buffer), contentType?: string): Check {
	return (world, { statusCode, headers, rawPayload }, { target = '' }, actor) => {
		expect(statusCode).toBe(200);
		if (contentType !== undefined) expect(headers['content-type']).toBe(contentType);
		expect(rawPayload).toEqual(Buffer.isBuffer(bytes) ? bytes : bytes({ world, actor, target }));
	};
}

/** Checks the rows of a table after the call. `where` gets the target of the request. */
export function leavesRows<Table extends keyof Schema>(
	table: Table,
	where: (target: string, context: Context) => RowFilter<Table>,
	rows: ReadonlyArray<Partial<Selectable<Schema[Table]>>>,
): Check {
	return async (world, _response, { target = '' }, actor) =>
		expect(await findRows(world.deps, table, where(target, { world, actor, target }))).toMatchObject(rows);
}
