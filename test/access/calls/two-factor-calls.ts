import { expect } from 'vitest';
import { getRow } from '../../support/app/database-rows.ts';
import { testPassword } from '../../support/app/users.ts';
import { codeAt, setUpTwoFactor } from '../../support/fixtures/two-factor.ts';
import type { AccessFixture, AccessRequest } from '../access-fixture.ts';
import type { Actor } from '../access-table.ts';
import type { Check } from './access-call.ts';
import { type AccessCalls, equals, leavesRows, matches, reads } from './access-call.ts';

/** Creates a user with the role of O or D, for calls that would change these actors. Other actors use their own session. */
async function freshUserLike(fixture: AccessFixture, actor: Actor): Promise<{ id: string; cookie?: string }> {
	if (actor !== 'O' && actor !== 'D') return { id: '' };
	return fixture.freshSession(actor === 'D' ? 'admin' : 'user');
}

async function userWithTwoFactor(fixture: AccessFixture, actor: Actor) {
	const { id, cookie } = await freshUserLike(fixture, actor);
	if (cookie === undefined) return { cookie, body: { password: testPassword, code: '123456' }, id };
	const { recoveryCodes } = await setUpTwoFactor(fixture, (url, body) =>
		fixture.send(actor, 'POST', { url, body, cookie }),
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

const isOn: Check = async ({ deps }, _response, { target = '' }) =>
	expect((await getRow(deps, 'users', { id: target })).totp_confirmed_at).not.toBeNull();
const isOff: Check = async ({ deps }, _response, { target = '' }) =>
	expect((await getRow(deps, 'users', { id: target })).totp_confirmed_at).toBeNull();
const hasNewCodes: Check = (_world, response) => expect(response.json().recoveryCodes).toHaveLength(10);

/** Creates a request with a password and a code. */
const withCode = (url: string) => async (fixture: AccessFixture, actor: Actor) => {
	const { body, ...user } = await userWithTwoFactor(fixture, actor);
	return requestOf(url, body, user);
};

/** Two-factor sign-in of the caller and of other users, and impersonation. */
export const twoFactorCalls: AccessCalls = {
	'GET /api/two-factor': reads('/api/two-factor', equals({ isOn: false, since: null, recoveryCodesLeft: 0 })),
	'POST /api/two-factor/begin': {
		request: async (fixture, actor) =>
			requestOf('/api/two-factor/begin', { password: testPassword }, await freshUserLike(fixture, actor)),
		check: matches({ secret: expect.stringMatching(/^[A-Z2-7]{32}$/u) }),
	},
	'POST /api/two-factor/confirm': {
		async request(fixture, actor) {
			const { cookie, id } = await freshUserLike(fixture, actor);
			if (cookie === undefined) return { url: '/api/two-factor/confirm', body: { code: '123456' } };
			const body = { password: testPassword };
			const started = await fixture.send(actor, 'POST', { url: '/api/two-factor/begin', body, cookie });
			const code = codeAt(started.json().secret, fixture.clock.now());
			return requestOf('/api/two-factor/confirm', { code }, { id, cookie });
		},
		check: [hasNewCodes, isOn],
	},
	'POST /api/two-factor/recovery-codes': { request: withCode('/api/two-factor/recovery-codes'), check: hasNewCodes },
	'POST /api/two-factor/turn-off': {
		request: withCode('/api/two-factor/turn-off'),
		check: [equals({}), isOff],
	},
	'POST /api/users/:id/two-factor/reset': {
		async request(fixture) {
			const { id } = await userWithTwoFactor(fixture, 'O');
			return { url: `/api/users/${id}/two-factor/reset`, body: {}, target: id };
		},
		check: [equals({}), isOff],
	},
	'GET /api/settings/security': reads('/api/settings/security', equals({ isRequiredOfAdmins: false })),
	'PUT /api/settings/security': {
		request: () => ({ url: '/api/settings/security', body: { isRequiredOfAdmins: false } }),
		check: equals({ isRequiredOfAdmins: false }),
	},
	'POST /api/users/:id/view-as': {
		async request(fixture, actor) {
			const { cookie } = await freshUserLike(fixture, actor === 'D' ? 'D' : 'A');
			return { url: `/api/users/${fixture.userIds.other}/view-as`, body: {}, ...(cookie !== undefined && { cookie }) };
		},
		check: [
			equals({}),
			leavesRows('sessions', (_target, { fixture }) => ({ impersonated_user_id: fixture.userIds.other ?? '' }), [{}]),
		],
	},
	'POST /api/view-as/end': {
		async request(fixture, actor) {
			const { cookie, id } = await freshUserLike(fixture, actor);
			if (actor === 'D' && cookie !== undefined)
				await fixture.send('D', 'POST', { url: `/api/users/${fixture.userIds.O}/view-as`, body: {}, cookie });
			return requestOf('/api/view-as/end', {}, { id, cookie });
		},
		check: [equals({}), leavesRows('sessions', (user_id) => ({ user_id }), [{ impersonated_user_id: null }])],
	},
};
