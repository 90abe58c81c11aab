import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { createCredential, listCredentials } from '#server/features/credentials/credentials.service.ts';
import type { AccessFixture } from '../access-fixture.ts';
import { type AccessCalls, type Check, call, equals, lists, matches } from './access-call.ts';

const state = 'goa';

async function freshCredential({ deps }: AccessFixture) {
	const username = randomUUID();
	await createCredential(deps, systemCaller, { username, state, id: `id of ${username}`, password: 'open sesame' });
	const { items } = await listCredentials(deps, { username, state, limit: 1 });
	if (items[0] === undefined) throw new Error('The credentials were not added.');
	return items[0];
}

/** Checks that the credentials with the username of the request have these IDs. */
const leavesIds =
	(...ids: string[]): Check =>
	async ({ deps }, _response, { target = '' }) => {
		const { items } = await listCredentials(deps, { username: target, state, limit: 1 });
		expect(items.map(({ id }) => id)).toEqual(ids);
	};

export const credentialSearchCalls: AccessCalls = {
	'POST /api/insta-credentials/search': call(
		async (fixture) => {
			const { username } = await freshCredential(fixture);
			return { body: { username, state }, target: username };
		},
		equals(({ target }) => {
			return { found: true, data: { username: target, state, id: `id of ${target}`, password: 'open sesame' } };
		}),
	),
};

export const credentialCalls: AccessCalls = {
	'POST /api/insta-credentials/add': call(
		() => {
			const username = randomUUID();
			return { body: { username, state, id: 'mine', password: 'open sesame' }, target: username };
		},
		equals({ success: true, error: null }),
		leavesIds('mine'),
	),
	'GET /api/credentials': call(
		async (fixture) => {
			const { username } = await freshCredential(fixture);
			return { url: `?username=${username}&state=${state}`, target: username };
		},
		matches(({ target }) => ({ total: 1, items: [{ username: target, password: 'open sesame' }] })),
	),
	'PUT /api/credentials/:record': call(
		async (fixture) => {
			const { record, createdAt: _createdAt, ...rest } = await freshCredential(fixture);
			return { url: `/api/credentials/${record}`, body: { ...rest, id: 'changed' }, target: rest.username };
		},
		matches(({ target }) => ({ username: target, id: 'changed' })),
		leavesIds('changed'),
	),
	'DELETE /api/credentials/:record': call(
		async (fixture) => {
			const { record, username } = await freshCredential(fixture);
			return { url: `/api/credentials/${record}`, target: username };
		},
		equals({}),
		leavesIds(),
	),
	'POST /api/credentials-import': call(
		() => {
			const username = randomUUID();
			const csv = `username,state,id,password\n${username},${state},imported,open sesame\n`;
			return { body: { csv }, target: username };
		},
		equals({ added: 1, problems: [], rest: '' }),
		leavesIds('imported'),
	),
	'GET /api/credential-lookups': call(
		async (fixture) => {
			const username = randomUUID();
			await fixture.send('A', 'POST', { url: '/api/insta-credentials/search', body: { username, state } });
			return { url: '?filter=not-found', target: username };
		},
		lists(({ target }) => ({ username: target, state, isFound: false, ip: '203.0.113.9', email: null })),
	),
};
