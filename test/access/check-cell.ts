import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { dumpDatabase } from '../support/app/database-dump.ts';
import type { AccessFixture, AccessRequest } from './access-fixture.ts';
import { type AccessRow, type Actor, actors, type Outcome, outcomesOf } from './access-table.ts';
import type { AccessCall } from './calls/access-call.ts';
import { accessCalls } from './calls/access-calls.ts';

/** The outcome that the table gives for one actor on one registered route. */
export interface Cell {
	route: string;
	actor: Actor;
	outcome: Exclude<Outcome, '–'>;
	call: AccessCall;
}

const denials = { '1': 401, '3': 403, '4': 404 } as const;

/** Returns the cells of a row that can be checked, and the number of those that cannot because a part is not built. */
export function cellsOf(row: AccessRow): { cells: Cell[]; notBuilt: number } {
	const marks = outcomesOf(row);
	const asked = actors.filter((actor) => marks[actor] !== '–');
	const cells = row.routes.flatMap((route) => {
		const call = accessCalls[route];
		if (call === undefined) throw new Error(`${route} stands in the table, and nobody says how it is called.`);
		const aimed = row.ownOnly?.includes(route) ? asked.filter((actor) => marks[actor] !== '4') : asked;
		return aimed.map((actor) => ({ route, actor, outcome: marks[actor] as Cell['outcome'], call }));
	});
	return { cells, notBuilt: (row.notBuilt?.length ?? 0) * asked.length };
}

/** Checks a cell, and every variant of its request, which must not allow more. */
export async function checkCell(world: AccessFixture, cell: Cell): Promise<void> {
	const [method = '', pattern = ''] = cell.route.split(' ');
	const request = await cell.call.request(world, cell.actor);
	if (cell.outcome === '✓') {
		await checkVariants(world, cell, method, pattern, request);
		const response = await world.send(cell.actor, method, request);
		for (const check of [cell.call.check].flat()) await check(world, response, request, cell.actor);
		return;
	}
	const before = await dumpDatabase(world.deps);
	const response = await world.send(cell.actor, method, request);
	expect(response.statusCode).toBe(denials[cell.outcome]);
	if (method !== 'HEAD') expect(response.json()).toMatchObject({ status: denials[cell.outcome] });
	if (cell.outcome === '4') expectSame(response, await world.send(cell.actor, method, requireAbsent(cell)(world)));
	await checkVariants(world, cell, method, pattern, request);
	expect(await dumpDatabase(world.deps)).toEqual(before);
}

function requireAbsent({ call, route }: Cell): NonNullable<AccessCall['absent']> {
	if (call.absent === undefined) throw new Error(`${route} has no form for a target that is not there.`);
	return call.absent;
}

/** Checks that two responses have the same status, headers and bytes, so that they cannot be told apart. */
export function expectSame(one: LightMyRequestResponse, other: LightMyRequestResponse): void {
	const headersOf = ({ headers }: LightMyRequestResponse) => ({ ...headers, date: undefined });
	expect(one.statusCode).toBe(other.statusCode);
	expect(headersOf(one)).toEqual(headersOf(other));
	expect(one.rawPayload).toEqual(other.rawPayload);
}

/**
 * Checks that HEAD, Range, a trailing slash, `%2e%2e`, another case and another method allow no more than the request.
 */
async function checkVariants(
	world: AccessFixture,
	cell: Cell,
	method: string,
	pattern: string,
	request: AccessRequest,
) {
	const { actor, call } = cell;
	const plain = cell.outcome === '✓' ? 200 : denials[cell.outcome];
	const ask = async (by: string, change: Partial<AccessRequest>) =>
		(await world.send(actor, by, { ...request, isStream: false, ...change })).statusCode;

	const has = (by: string) => world.app.routeList.some((route) => route.url === pattern && route.method === by);
	const { body: _body, isStream: _isStream, ...bodiless } = request;
	if (method === 'GET' || !has('HEAD')) {
		const head = await world.send(actor, 'HEAD', bodiless);
		expect(head.statusCode, 'HEAD').toBe(method === 'GET' ? plain : 404);
		expect(head.body).toBe('');
	}
	if (method === 'GET' && (call.hasRanges === true || plain !== 200)) {
		const ranged = await world.send(actor, 'GET', { ...request, headers: { ...request.headers, range: 'bytes=1-3' } });
		expect(ranged.statusCode, 'Range').toBe(plain === 200 ? 206 : plain);
		if (plain === 200)
			expect(ranged.rawPayload).toEqual((await world.send(actor, 'GET', request)).rawPayload.subarray(1, 4));
	}
	if (pattern !== '/') {
		const [path = '', query = ''] = request.url.split('?');
		const tail = query === '' ? '' : `?${query}`;
		// `/api/uploads/` is the URL of an upload with an empty name, at which OPTIONS answers as for any upload.
		const slashed = method === 'OPTIONS' ? [404, plain === 200 ? 204 : plain] : [404];
		expect(await ask(method, { url: `${path}/${tail}` }), 'trailing slash').toBeOneOf(slashed);
		const shouted = path.replace(/^\/\w+/u, (first) => first.toUpperCase());
		expect(await ask(method, { url: `${shouted}${tail}` }), 'case').toBe(404);
		for (const detour of ['/api/book/%2e%2e/%2e%2e', '/assets/%2e%2e', '/login/..'])
			expect(await world.sendRaw(actor, method, `${detour}${path}${tail}`), `${detour}${path}`).toBe(404);
	}
	const second = ['PUT', 'PATCH', 'DELETE'].find((by) => !has(by)) ?? 'TRACE';
	expect(await ask(second, { body: undefined, isStream: false }), second).toBe(404);
}
