import { describe, expect, test } from 'vitest';
import {
	consumeCode,
	hashRecoveryCode,
	type ValidCode,
} from '#server/features/accounts/two-factor/code-verification.ts';
import { resetTwoFactorByEmailKey } from '#server/features/accounts/two-factor/two-factor.service.ts';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { openSecondProcess, openTestApp } from '../../support/app/shared-test-app.ts';
import { listAuditEntries, listMailsTo, tokenIn } from '../../support/app/test-app.ts';
import { joinAs, makeSignedInUser, makeUser, testPassword } from '../../support/app/users.ts';
import { type Authenticator, codeAt, setUpTwoFactor } from '../../support/fixtures/two-factor.ts';

const { testApp, deps, admin, adminId } = await openTestApp({ RATE_LIMIT_FACTOR: '1' });
const signInFrom = (
	ip: string,
	body: { email: string; password: string; code?: string | undefined },
	app = testApp.app,
) => createHttpClient(app, ip).call('POST', '/api/sign-in', body);

async function join(role: 'user' | 'admin' = 'user') {
	const { id, email, ip, client } = await joinAs(testApp, role);
	const app = await setUpTwoFactor(testApp, (url, body) => client.call('POST', url, body));
	const signIn = (code?: string, password = testPassword) => signInFrom(ip, { email, password, code });
	return { id, email, client, app, signIn };
}

/** The actions are sorted, because entries with the same time have no order. */
const auditOf = async (id: string) => (await listAuditEntries(testApp, id)).map(({ action }) => action).sort();

const otherCode = (code: string) => (code === '000000' ? '000001' : '000000');

describe('setting up two-factor sign-in', () => {
	test('requires the password and a first code, returns ten recovery codes, and causes a mail and an audit entry', async () => {
		const { id, client } = await makeSignedInUser(testApp, 'careful@example.com', 'user', '198.51.100.200');
		const refused = await client.call('POST', '/api/two-factor/begin', { password: 'wrong' });
		expect([refused.statusCode, refused.json().fields]).toEqual([422, { password: 'This is not your password.' }]);

		const { secret, qr } = (await client.call('POST', '/api/two-factor/begin', { password: testPassword })).json();
		expect(secret).toMatch(/^[A-Z2-7]{32}$/u);
		expect(qr.path).toMatch(/^M0 0h7v1h-7z/u);
		const early = await signInFrom('198.51.100.200', { email: 'careful@example.com', password: testPassword });
		expect(early.statusCode, 'no code is required before the first code was confirmed').toBe(200);

		const code = otherCode(codeAt(secret, testApp.clock.now()));
		const wrong = await client.call('POST', '/api/two-factor/confirm', { code });
		expect(wrong.json()).toMatchObject({ code: 'TWO_FACTOR_CODE_WRONG' });
		const typed = codeAt(secret, testApp.clock.now()).replace(/^.../u, '$& ');
		const { recoveryCodes } = (await client.call('POST', '/api/two-factor/confirm', { code: typed })).json();
		expect(new Set(recoveryCodes).size).toBe(10);
		const since = testApp.clock.now().toISOString();
		expect((await client.call('GET', '/api/two-factor')).json()).toEqual({ isOn: true, since, recoveryCodesLeft: 10 });
		const again = await client.call('POST', '/api/two-factor/begin', { password: testPassword });
		expect(again.json().code).toBe('TWO_FACTOR_IS_ON');
		const [mail] = await listMailsTo(testApp, 'careful@example.com');
		expect(mail?.subject).toBe('Two-factor sign-in is on');
		expect(mail?.text).toContain('http://folio.test/account');
		expect(await auditOf(id)).toEqual(['two-factor-on']);

		const stored = JSON.stringify(await dumpDatabase(deps));
		for (const value of [secret, ...recoveryCodes, ...recoveryCodes.map((code: string) => code.replace('-', ''))])
			expect(stored).not.toContain(value);
	});

	test('refuses a code of an earlier secret', async () => {
		const { client } = await makeSignedInUser(testApp, 'twice@example.com', 'user', '198.51.100.201');
		const begin = async () =>
			(await client.call('POST', '/api/two-factor/begin', { password: testPassword })).json().secret as string;
		const first = await begin();
		await begin();
		const answer = await client.call('POST', '/api/two-factor/confirm', { code: codeAt(first, testApp.clock.now()) });
		expect(answer.json().code).toBe('TWO_FACTOR_CODE_WRONG');
	});
});

describe('signing in with two-factor sign-in', () => {
	test('requests a code after the correct password, and counts a sign-in only after the correct code', async () => {
		const { id, app, signIn } = await join();
		const countSignIns = async () => (await getRow(deps, 'users', { id })).login_count;
		const before = await countSignIns();
		const nobody = { email: 'nobody@example.com', password: 'wrong', code: '123456' };
		const unknown = await signInFrom('198.51.100.210', nobody);
		for (const code of [undefined, app.nextCode()]) {
			const wrong = await signIn(code, 'wrong');
			expect([wrong.statusCode, wrong.body]).toEqual([401, unknown.body]);
		}
		const wanted = await signIn();
		expect([wanted.statusCode, wanted.json().code]).toEqual([401, 'TWO_FACTOR_CODE_WANTED']);
		expect(wanted.headers['set-cookie']).toBeUndefined();
		const history = () => findRows(deps, 'login_history', { user_id: id });
		expect(await countSignIns()).toBe(before);
		expect(await history()).toHaveLength(1);
		const right = await signIn(app.nextCode());
		expect(right.json()).toMatchObject({ id, mustSetUpTwoFactor: false });
		expect(await history()).toHaveLength(2);
	});

	test('accepts only codes of the current, the previous and the next time step', async () => {
		for (const steps of [-2, -1, 1, 2]) {
			const { app, signIn } = await join();
			testApp.clock.advance(300);
			const { statusCode } = await signIn(codeAt(app.secret, testApp.clock.now(), steps));
			expect(statusCode, `${steps}`).toBe(Math.abs(steps) === 1 ? 200 : 401);
		}
	});

	test('refuses a code that was used before, and codes of older time steps', async () => {
		const { app, signIn } = await join();
		const older = app.nextCode();
		const code = app.nextCode();
		expect((await signIn(code)).statusCode).toBe(200);
		for (const again of [code, older]) expect((await signIn(again)).json().code).toBe('TWO_FACTOR_CODE_WRONG');
	});

	test('accepts one of six simultaneous sign-ins with the same code on two processes', async () => {
		const { app, email } = await join();
		const secondApp = await openSecondProcess(testApp);
		const body = { email, password: testPassword, code: app.nextCode() };
		const apps = [testApp.app, secondApp.app, testApp.app, secondApp.app, testApp.app, secondApp.app];
		const answers = await Promise.all(apps.map((process, i) => signInFrom(`192.0.2.${i}`, body, process)));
		expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401, 401, 401, 401, 401]);
	});

	test('consumeCode accepts each time step and each recovery code only once', async () => {
		const { id, app } = await join();
		const step = Math.floor(testApp.clock.now().getTime() / 30_000) + 1;
		const consume = (code: ValidCode) => inTransaction(deps.db, (tx) => consumeCode(deps, tx, systemCaller, id, code));
		const hash = hashRecoveryCode(deps, id, app.recoveryCodes[0] ?? '');
		for (const code of [{ kind: 'step', step } as const, { kind: 'recovery', hash } as const]) {
			await consume(code);
			await expect(consume(code)).rejects.toThrow('TWO_FACTOR_CODE_WRONG');
		}
		await expect(consume({ kind: 'step', step: step - 1 })).rejects.toThrow('TWO_FACTOR_CODE_WRONG');
	});

	test('accepts a recovery code once, in any case and with any spaces', async () => {
		const { id, app, signIn, client } = await join();
		const [code = ''] = app.recoveryCodes;
		expect((await signIn(` ${code.toLowerCase().replace('-', ' ')} `)).statusCode).toBe(200);
		expect((await signIn(code)).json().code).toBe('TWO_FACTOR_CODE_WRONG');
		expect((await client.call('GET', '/api/two-factor')).json().recoveryCodesLeft).toBe(9);
		expect(await auditOf(id)).toContain('recovery-code-used');
	});

	test('refuses the codes of another user', async () => {
		const first = await join();
		const other = await join();
		for (const code of [other.app.nextCode(), other.app.recoveryCodes[0]])
			expect((await first.signIn(code)).json().code).toBe('TWO_FACTOR_CODE_WRONG');
	});

	test('refuses all codes for 15 minutes after ten wrong codes', async () => {
		const { app, signIn } = await join();
		for (let i = 0; i < 10; i += 1) expect((await signIn('not a code')).json().code).toBe('TWO_FACTOR_CODE_WRONG');
		expect((await signIn(app.nextCode())).json().code).toBe('TOO_MANY_SIGN_INS');
		testApp.clock.advance(15 * 60);
		expect((await signIn(app.nextCode())).statusCode).toBe(200);
	});

	test('returns ACCOUNT_DEACTIVATED to a deactivated user and requests no code', async () => {
		const { id, signIn } = await join();
		await admin.call('POST', `/api/users/${id}/active`, { active: false });
		expect((await signIn()).json().code).toBe('ACCOUNT_DEACTIVATED');
	});

	test('still requests a code after the password was reset by mail', async () => {
		const { email, signIn } = await join();
		await createHttpClient(testApp.app).call('POST', '/api/password/request-reset', { email });
		const token = (await listMailsTo(testApp, email)).map(tokenIn).find(Boolean);
		await createHttpClient(testApp.app).call('POST', '/api/password/set', { token, password: 'a new one' });
		expect((await signIn(undefined, 'a new one')).json().code).toBe('TWO_FACTOR_CODE_WANTED');
	});
});

describe('changing two-factor sign-in', () => {
	test('replaces the recovery codes after password and code, and refuses the earlier recovery codes', async () => {
		const { app, client, signIn } = await join();
		const renew = (password: string, code: string) =>
			client.call('POST', '/api/two-factor/recovery-codes', { password, code });
		expect((await renew('wrong', app.nextCode())).json().code).toBe('PASSWORD_WRONG');
		expect((await renew(testPassword, 'wrong')).json().code).toBe('TWO_FACTOR_CODE_WRONG');
		const { recoveryCodes } = (await renew(testPassword, app.nextCode())).json();
		expect((await signIn(app.recoveryCodes[1])).statusCode).toBe(401);
		expect((await signIn(recoveryCodes[1])).statusCode).toBe(200);
	});

	test('turns two-factor sign-in off after password and code, sends a mail, and requests no code at the next sign-in', async () => {
		const { id, email, app, client, signIn } = await join();
		const code = app.nextCode();
		expect((await signIn(code)).statusCode).toBe(200);
		const off = (given: string) =>
			client.call('POST', '/api/two-factor/turn-off', { password: testPassword, code: given });
		expect((await off(code)).json().code, 'a used code').toBe('TWO_FACTOR_CODE_WRONG');
		expect((await off(app.nextCode())).statusCode).toBe(200);
		expect((await signIn()).statusCode).toBe(200);
		expect(await auditOf(id)).toEqual(['two-factor-off', 'two-factor-on']);
		const subjects = (await listMailsTo(testApp, email)).map(({ subject }) => subject);
		expect(subjects.sort()).toEqual(['Two-factor sign-in is off', 'Two-factor sign-in is on']);
		expect(await findRows(deps, 'recovery_codes', { user_id: id })).toEqual([]);
	});

	test('can be reset by an admin only for other users, and by the command line for all users', async () => {
		const { id, signIn } = await join();
		expect((await admin.call('POST', `/api/users/${id}/two-factor/reset`, {})).statusCode).toBe(200);
		expect((await signIn()).statusCode).toBe(200);
		expect(await auditOf(id)).toEqual(['two-factor-on', 'two-factor-reset']);
		expect((await admin.call('POST', `/api/users/${id}/two-factor/reset`, {})).json().code).toBe('TWO_FACTOR_IS_OFF');
		expect((await admin.call('POST', '/api/users/nobody/two-factor/reset', {})).statusCode).toBe(404);
		const owner = await join('admin');
		const own = await owner.client.call('POST', `/api/users/${owner.id}/two-factor/reset`, {});
		expect(own.json().code).toBe('TWO_FACTOR_OWN_RESET');
		expect((await owner.signIn()).json().code).toBe('TWO_FACTOR_CODE_WANTED');
		expect(await resetTwoFactorByEmailKey(deps, systemCaller, owner.email)).toBe('reset');
		expect(await resetTwoFactorByEmailKey(deps, systemCaller, owner.email)).toBe('was-off');
		expect(await resetTwoFactorByEmailKey(deps, systemCaller, 'nobody@example.com')).toBe('nobody');
		expect((await owner.signIn()).statusCode).toBe(200);
	});
});

describe('two-factor sign-in required of admins', () => {
	const require = (client: HttpClient, isRequiredOfAdmins: boolean) =>
		client.call('PUT', '/api/settings/security', { isRequiredOfAdmins });
	let app: Authenticator;

	test('can be required only by an admin with two-factor sign-in', async () => {
		expect((await require(admin, true)).json().code).toBe('TWO_FACTOR_OWN_FIRST');
		app = await setUpTwoFactor(testApp, (url, body) => admin.call('POST', url, body));
		expect((await require(admin, true)).json()).toEqual({ isRequiredOfAdmins: true });
		expect((await admin.call('GET', '/api/settings/security')).json()).toEqual({ isRequiredOfAdmins: true });
	});

	test('allows an admin without two-factor sign-in only to set it up, and does not affect members', async () => {
		const { client: second } = await makeSignedInUser(testApp, 'second@example.com', 'admin', '198.51.100.230');
		expect((await second.call('GET', '/api/me')).json()).toMatchObject({ mustSetUpTwoFactor: true });
		const before = await dumpDatabase(deps);
		const reads = ['/api/users', '/api/spaces/guest/nodes'].map((url) => ['GET', url] as const);
		const changes = [`/api/users/${adminId}/two-factor/reset`, `/api/users/${adminId}/active`, '/api/uploads'];
		const writes = changes.map((url) => ['POST', url] as const);
		for (const [method, url] of [...reads, ...writes, ['PUT', '/api/settings/security'] as const]) {
			const answer = await second.call(method, url, method === 'GET' ? undefined : {});
			expect([url, answer.statusCode, answer.json().code]).toEqual([url, 403, 'TWO_FACTOR_REQUIRED']);
		}
		expect(await dumpDatabase(deps)).toEqual(before);
		for (const url of ['/admin', '/Bookdashboard', '/dashboard'])
			expect((await second.call('GET', url)).headers.location).toBe('/account');
		expect((await second.call('GET', '/account')).statusCode).toBe(200);

		const { client: member } = await makeSignedInUser(testApp, 'unbothered@example.com', 'user', '198.51.100.231');
		expect((await member.call('GET', '/api/shelf')).statusCode).toBe(200);

		await setUpTwoFactor(testApp, (url, body) => second.call('POST', url, body));
		expect((await second.call('GET', '/api/users')).statusCode).toBe(200);
	});

	test('applies to admins who turn two-factor sign-in off or have it reset, also during an impersonation', async () => {
		const third = await join('admin');
		const member = await makeUser(deps, 'viewed-by-third@example.com');
		expect((await third.client.call('POST', `/api/users/${member}/view-as`, {})).statusCode).toBe(200);
		expect((await third.client.call('GET', '/api/me')).json().email).toBe('viewed-by-third@example.com');
		expect((await admin.call('POST', `/api/users/${third.id}/two-factor/reset`, {})).statusCode).toBe(200);
		const me = (await third.client.call('GET', '/api/me')).json();
		expect(me).toMatchObject({ mustSetUpTwoFactor: true, role: 'admin' });
		expect((await third.client.call('GET', '/api/users')).json().code).toBe('TWO_FACTOR_REQUIRED');
		const fourth = await join('admin');
		const code = fourth.app.nextCode();
		await fourth.client.call('POST', '/api/two-factor/turn-off', { password: testPassword, code });
		expect((await fourth.client.call('GET', '/api/users')).json().code).toBe('TWO_FACTOR_REQUIRED');
	});

	test('can be made optional again, and both changes of the requirement are audited', async () => {
		expect((await require(admin, false)).statusCode).toBe(200);
		expect(await auditOf('security')).toEqual(['two-factor-requirement-changed', 'two-factor-requirement-changed']);
		const proof = { password: testPassword, code: app.nextCode() };
		expect((await admin.call('POST', '/api/two-factor/turn-off', proof)).statusCode).toBe(200);
	});
});
