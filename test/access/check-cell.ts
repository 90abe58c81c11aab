import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { dumpDatabase } from '../support/app/database-dump.ts';
import { type AccessFixture, type AccessRequest, type Actor, actors } from './access-fixture.ts';
import { type AccessRow, type Outcome, outcomesOf } from './access-table.ts';
import { type AccessCall, absentUrlOf, buildRequest } from './calls/access-call.ts';

/** The expected outcome for one actor on one route. */
export interface Cell {
	route: string;
	actor: Actor;
	outcome: Exclude<Outcome, '–'>;
	call: AccessCall;
}

const denials = { '1': 401, '3': 403, '4': 404 } as const;

/** Returns the cells of all routes of a row. Cells with the outcome – are omitted. */
export function cellsOf(row: AccessRow): Cell[] {
	const outcomes = outcomesOf(row);
	const applicable = actors.filter((actor) => outcomes[actor] !== '–');
	return Object.entries(row.calls).flatMap(([route, call]) => {
		const tested = row.ownOnly?.includes(route) ? applicable.filter((actor) => outcomes[actor] !== '4') : applicable;
		return tested.map((actor) => ({ route, actor, outcome: outcomes[actor] as Cell['outcome'], call }));
	});
}

/** Checks the responses of a request and of its variants, and that a denied request changes no data. */
export async function checkCell(fixture: AccessFixture, cell: Cell): Promise<void> {
	const [method = '', pattern = ''] = cell.route.split(' ');
	const request = await buildRequest(cell.call, pattern, fixture, cell.actor);
	if (cell.outcome === '✓') {
		await checkVariants(fixture, cell, method, pattern, request);
		const response = await fixture.send(cell.actor, method, request);
		for (const check of cell.call.checks) await check(fixture, response, request, cell.actor);
		return;
	}
	const before = await dumpDatabase(fixture.deps);
	const response = await fixture.send(cell.actor, method, request);
	expect(response.statusCode).toBe(denials[cell.outcome]);
	if (method !== 'HEAD') expect(response.json()).toMatchObject({ status: denials[cell.outcome] });
	if (cell.outcome === '4') {
		const absent = { ...request, url: absentUrlOf(cell.call, pattern, request) };
		expectSame(response, await fixture.send(cell.actor, method, absent));
	}
	await checkVariants(fixture, cell, method, pattern, request);
	expect(await dumpDatabase(fixture.deps)).toEqual(before);
}

export function expectSame(actual: LightMyRequestResponse, expected: LightMyRequestResponse): void {
	const headersOf = ({ headers }: LightMyRequestResponse) => ({ ...headers, date: undefined });
	expect(actual.statusCode).toBe(expected.statusCode);
	expect(headersOf(actual)).toEqual(headersOf(expected));
	expect(actual.rawPayload).toEqual(expected.rawPayload);
}

/** Checks that no variant of a URL, method or Range header gives access that the request does not give. */
async function checkVariants(
	fixture: AccessFixture,
	cell: Cell,
	method: string,
	pattern: string,
	request: AccessRequest,
) {
	const { actor } = cell;
	const expected = cell.outcome === '✓' ? 200 : denials[cell.outcome];
	const statusOf = async (by: string, change: Partial<AccessRequest>) =>
		(await fixture.send(actor, by, { ...request, isStream: false, ...change })).statusCode;

	const hasRoute = (by: string) => fixture.app.routeList.some((route) => route.url === pattern && route.method === by);
	const { body: _body, isStream: _isStream, ...bodiless } = request;
	if (method === 'GET' || !hasRoute('HEAD')) {
		const head = await fixture.send(actor, 'HEAD', bodiless);
		expect(head.statusCode, 'HEAD').toBe(method === 'GET' ? expected : 404);
		expect(head.body).toBe('');
	}
	if (method === 'GET' && expected !== 200)
		expect(await statusOf('GET', { headers: { ...request.headers, range: 'bytes=1-3' } }), 'Range').toBe(expected);
	if (pattern !== '/') {
		const [path = '', query = ''] = request.url.split('?');
		const search = query === '' ? '' : `?${query}`;
		// `/api/uploads/` matches the route of an upload with an empty ID. OPTIONS responds to this ID like to any other.
		const allowedWithSlash = method === 'OPTIONS' ? [404, expected === 200 ? 204 : expected] : [404];
		expect(await statusOf(method, { url: `${path}/${search}` }), 'trailing slash').toBeOneOf(allowedWithSlash);
		const upperCased = path.replace(/^\/\w+/u, (first) => first.toUpperCase());
		expect(await statusOf(method, { url: `${upperCased}${search}` }), 'case').toBe(404);
		for (const detour of ['/api/book/%2e%2e/%2e%2e', '/assets/%2e%2e', '/login/..'])
			expect(await fixture.sendRaw(actor, method, `${detour}${path}${search}`), `${detour}${path}`).toBe(404);
	}
	const otherMethod = ['PUT', 'PATCH', 'DELETE'].find((by) => !hasRoute(by)) ?? 'TRACE';
	expect(await statusOf(otherMethod, { body: undefined, isStream: false }), otherMethod).toBe(404);
}
