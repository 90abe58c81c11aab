import { expect } from 'vitest';
import { getRow } from '../../support/app/database-rows.ts';
import { testPassword } from '../../support/app/users.ts';
import { codeAt, setUpTwoFactor } from '../../support/fixtures/two-factor.ts';
import type { AccessFixture, Actor } from '../access-fixture.ts';
import { type AccessCalls, type Check, call, equals, leavesRows, matches } from './access-call.ts';

/** Creates a user with the role of O or D, because the call changes the user. Other actors use their own session. */
async function freshUserLike(fixture: AccessFixture, actor: Actor): Promise<{ target?: string; cookie?: string }> {
	if (actor !== 'O' && actor !== 'D') return {};
	const { id, cookie } = await fixture.freshSession(actor === 'D' ? 'admin' : 'user');
	return { target: id, cookie };
}

async function withCode(fixture: AccessFixture, actor: Actor) {
	const user = await freshUserLike(fixture, actor);
	const { cookie } = user;
	if (cookie === undefined) return { body: { password: testPassword, code: '123456' } };
	const { recoveryCodes } = await setUpTwoFactor(fixture, (url, body) =>
		fixture.send(actor, 'POST', { url, body, cookie }),
	);
	return { ...user, body: { password: testPassword, code: recoveryCodes[0] ?? '' } };
}

const isOn: Check = async ({ deps }, _response, { target = '' }) =>
	expect((await getRow(deps, 'users', { id: target })).totp_confirmed_at).not.toBeNull();
const isOff: Check = async ({ deps }, _response, { target = '' }) =>
	expect((await getRow(deps, 'users', { id: target })).totp_confirmed_at).toBeNull();
const hasNewCodes: Check = (_world, response) => expect(response.json().recoveryCodes).toHaveLength(10);

export const ownTwoFactorCalls: AccessCalls = {
	'GET /api/two-factor': call({}, equals({ isOn: false, since: null, recoveryCodesLeft: 0 })),
	'POST /api/two-factor/begin': call(
		async (fixture, actor) => ({ ...(await freshUserLike(fixture, actor)), body: { password: testPassword } }),
		matches({ secret: expect.stringMatching(/^[A-Z2-7]{32}$/u) }),
	),
	'POST /api/two-factor/confirm': call(
		async (fixture, actor) => {
			const user = await freshUserLike(fixture, actor);
			const { cookie } = user;
			if (cookie === undefined) return { body: { code: '123456' } };
			const body = { password: testPassword };
			const started = await fixture.send(actor, 'POST', { url: '/api/two-factor/begin', body, cookie });
			const code = codeAt(started.json().secret, fixture.clock.now());
			return { ...user, body: { code } };
		},
		hasNewCodes,
		isOn,
	),
	'POST /api/two-factor/recovery-codes': call(withCode, hasNewCodes),
	'POST /api/two-factor/turn-off': call(withCode, equals({}), isOff),
	'POST /api/view-as/end': call(
		async (fixture, actor) => {
			const user = await freshUserLike(fixture, actor);
			if (actor === 'D')
				await fixture.send('D', 'POST', { ...user, url: `/api/users/${fixture.userIds.O}/view-as`, body: {} });
			return { ...user, body: {} };
		},
		equals({}),
		leavesRows('sessions', (user_id) => ({ user_id }), [{ impersonated_user_id: null }]),
	),
};

export const adminTwoFactorCalls: AccessCalls = {
	'POST /api/users/:id/two-factor/reset': call(
		async (fixture) => ({ body: {}, target: (await withCode(fixture, 'O')).target }),
		equals({}),
		isOff,
	),
	'GET /api/settings/security': call({}, equals({ isRequiredOfAdmins: false })),
	'PUT /api/settings/security': call({ body: { isRequiredOfAdmins: false } }, equals({ isRequiredOfAdmins: false })),
	'POST /api/users/:id/view-as': call(
		async (fixture, actor) => {
			const { cookie } = await freshUserLike(fixture, actor === 'D' ? 'D' : 'A');
			return { body: {}, cookie, target: fixture.userIds.other };
		},
		equals({}),
		leavesRows('sessions', (impersonated_user_id) => ({ impersonated_user_id }), [{}]),
	),
};
