import { expect } from 'vitest';
import { testPassword } from '../../support/app/users.ts';
import { codeAt, setUpTwoFactor } from '../../support/fixtures/two-factor.ts';
import type { AccessFixture, AccessRequest } from '../access-fixture.ts';
import type { Actor } from '../access-table.ts';
import type { AccessCalls } from './access-call.ts';

/** Creates a user with the role of the actor, for calls that would change an actor. Other actors keep their session. */
async function freshUserLike(world: AccessFixture, actor: Actor): Promise<{ id: string; cookie?: string }> {
	if (actor !== 'O' && actor !== 'D') return { id: '' };
	return world.freshSession(actor === 'D' ? 'admin' : 'user');
}

async function userWithTwoFactor(world: AccessFixture, actor: Actor) {
	const { id, cookie } = await freshUserLike(world, actor);
	if (cookie === undefined) return { cookie, body: { password: testPassword, code: '123456' }, id };
	const { recoveryCodes } = await setUpTwoFactor(world, (url, body) =>
		world.send(actor, 'POST', { url, body, cookie }),
	);
	return { cookie, body: { password: testPassword, code: recoveryCodes[0] ?? '' }, id };
}

function requestOf(
	url: string,
	body: unknown,
	{ id, cookie }: { id: string; cookie?: string | undefined },
): AccessRequest {
	return { url, body, target: id, ...(cookie !== undefined && { cookie }) };
}

async function sinceOf({ deps }: AccessFixture, id = ''): Promise<string | null | undefined> {
	const row = await deps.db.selectFrom('users').select('totp_confirmed_at').where('id', '=', id).executeTakeFirst();
	return row?.totp_confirmed_at;
}

async function impersonatorsOf({ deps }: AccessFixture, userId: string): Promise<Array<string | null>> {
	const rows = await deps.db
		.selectFrom('sessions')
		.select('impersonated_user_id')
		.where('user_id', '=', userId)
		.execute();
	return rows.map((row) => row.impersonated_user_id);
}

/** Two-factor sign-in of the caller and of other users, and impersonation. */
export const twoFactorCalls: AccessCalls = {
	'GET /api/two-factor': {
		request: () => ({ url: '/api/two-factor' }),
		check: (_world, response) => expect(response.json()).toEqual({ isOn: false, since: null, recoveryCodesLeft: 0 }),
	},
	'POST /api/two-factor/begin': {
		request: async (world, actor) =>
			requestOf('/api/two-factor/begin', { password: testPassword }, await freshUserLike(world, actor)),
		check: (_world, response) =>
			expect(response.json()).toMatchObject({ secret: expect.stringMatching(/^[A-Z2-7]{32}$/u) }),
	},
	'POST /api/two-factor/confirm': {
		async request(world, actor) {
			const { cookie, id } = await freshUserLike(world, actor);
			if (cookie === undefined) return { url: '/api/two-factor/confirm', body: { code: '123456' } };
			const body = { password: testPassword };
			const begun = await world.send(actor, 'POST', { url: '/api/two-factor/begin', body, cookie });
			const code = codeAt(begun.json().secret, world.clock.now());
			return requestOf('/api/two-factor/confirm', { code }, { id, cookie });
		},
		async check(world, response, { target }) {
			expect(response.json().recoveryCodes).toHaveLength(10);
			expect(await sinceOf(world, target)).not.toBeNull();
		},
	},
	'POST /api/two-factor/recovery-codes': {
		async request(world, actor) {
			const { body, ...who } = await userWithTwoFactor(world, actor);
			return requestOf('/api/two-factor/recovery-codes', body, who);
		},
		check: (_world, response) => expect(response.json().recoveryCodes).toHaveLength(10),
	},
	'POST /api/two-factor/turn-off': {
		async request(world, actor) {
			const { body, ...who } = await userWithTwoFactor(world, actor);
			return requestOf('/api/two-factor/turn-off', body, who);
		},
		async check(world, response, { target }) {
			expect(response.json()).toEqual({});
			expect(await sinceOf(world, target)).toBeNull();
		},
	},
	'POST /api/users/:id/two-factor/reset': {
		async request(world) {
			const { id } = await userWithTwoFactor(world, 'O');
			return { url: `/api/users/${id}/two-factor/reset`, body: {}, target: id };
		},
		async check(world, response, { target }) {
			expect(response.json()).toEqual({});
			expect(await sinceOf(world, target)).toBeNull();
		},
	},
	'GET /api/settings/security': {
		request: () => ({ url: '/api/settings/security' }),
		check: (_world, response) => expect(response.json()).toEqual({ isRequiredOfAdmins: false }),
	},
	'PUT /api/settings/security': {
		request: () => ({ url: '/api/settings/security', body: { isRequiredOfAdmins: false } }),
		check: (_world, response) => expect(response.json()).toEqual({ isRequiredOfAdmins: false }),
	},
	'POST /api/users/:id/view-as': {
		async request(world, actor) {
			const { cookie } = await freshUserLike(world, actor === 'D' ? 'D' : 'A');
			return {
				url: `/api/users/${world.userIds.other}/view-as`,
				body: {},
				...(cookie !== undefined && { cookie }),
			};
		},
		async check({ deps, userIds }, response) {
			expect(response.json()).toEqual({});
			const rows = await deps.db
				.selectFrom('sessions')
				.select('id')
				.where('impersonated_user_id', '=', userIds.other ?? '')
				.execute();
			expect(rows).toHaveLength(1);
		},
	},
	'POST /api/view-as/end': {
		async request(world, actor) {
			const who = await freshUserLike(world, actor);
			const { cookie, id } = who;
			if (actor === 'D' && cookie !== undefined)
				await world.send('D', 'POST', { url: `/api/users/${world.userIds.O}/view-as`, body: {}, cookie });
			return requestOf('/api/view-as/end', {}, { id, cookie });
		},
		async check(world, response, { target = '' }) {
			expect(response.json()).toEqual({});
			expect(await impersonatorsOf(world, target)).toEqual([null]);
		},
	},
};
