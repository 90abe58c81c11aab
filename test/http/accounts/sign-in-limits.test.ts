import { describe, expect, test } from 'vitest';
import { createHttpClient, type HttpClient } from '../../support/app/http-client.ts';
import { openSecondProcess, openTestApp } from '../../support/app/shared-test-app.ts';
import { listMailsTo, tokenIn } from '../../support/app/test-app.ts';
import { joinAs, testPassword } from '../../support/app/users.ts';

const { testApp } = await openTestApp();

/** Creates a user who has signed in once, in a browser and at an IP address that no other user has. */
const makeOwner = () => joinAs(testApp);

const signIn = (client: HttpClient, email: string, headers?: Record<string, string>, password = testPassword) =>
	client.call('POST', '/api/sign-in', { email, password }, headers);
const tryFrom = async (client: HttpClient, email: string, password = testPassword) =>
	(await signIn(client, email, {}, password)).statusCode;

/** Guesses passwords from many IP addresses until the rate limit of the account is reached. */
async function guessUntilLimited(email: string): Promise<void> {
	const statuses: number[] = [];
	for (let i = 0; i < 11; i += 1)
		statuses.push(await tryFrom(createHttpClient(testApp.app, `192.0.2.${i}`), email, `guess ${i}`));
	expect(statuses).toEqual([...Array(10).fill(401), 429]);
}

describe('a sign-in after a stranger has reached the rate limit of the account', () => {
	test('succeeds in a known browser at any IP address, also after a server restart', async () => {
		const { email, client: browser } = await makeOwner();
		await guessUntilLimited(email);
		const secondApp = await openSecondProcess(testApp);
		const travelling = createHttpClient(secondApp.app, '192.0.2.222');
		expect(await tryFrom(travelling, email)).toBe(429);
		expect((await signIn(travelling, email, { cookie: browser.cookie() })).statusCode).toBe(200);
	});

	test('succeeds in a new browser at a known IP address, unless ten sign-ins have failed at that address', async () => {
		const { email, ip } = await makeOwner();
		await guessUntilLimited(email);
		const tryAtKnownIp = (password?: string) => tryFrom(createHttpClient(testApp.app, ip), email, password);
		expect(await tryAtKnownIp()).toBe(200);
		for (let i = 0; i < 10; i += 1) expect(await tryAtKnownIp(`guess ${i}`)).toBe(401);
		expect(await tryAtKnownIp()).toBe(429);
	});

	test('fails in a new browser at a new IP address until 15 minutes have passed or a mailed link was used in this browser', async () => {
		const { email } = await makeOwner();
		await guessUntilLimited(email);
		const fresh = createHttpClient(testApp.app, '192.0.2.223');
		expect(await tryFrom(fresh, email)).toBe(429);
		await fresh.call('POST', '/api/password/request-reset', { email });
		const [mail] = await listMailsTo(testApp, email);
		const token = tokenIn(mail);
		expect((await fresh.call('POST', '/api/password/set', { token, password: 'set by link' })).statusCode).toBe(200);
		expect(await tryFrom(fresh, email, 'set by link')).toBe(200);
		const other = createHttpClient(testApp.app, '192.0.2.224');
		expect(await tryFrom(other, email, 'set by link')).toBe(429);
		testApp.clock.advance(15 * 60 + 1);
		expect(await tryFrom(other, email, 'set by link')).toBe(200);
	});

	test('succeeds in a known browser at an IP address with 50 failed sign-ins', async () => {
		const { email, ip, client: browser } = await makeOwner();
		const guesses = Array.from({ length: 50 }, (_, i) =>
			tryFrom(createHttpClient(testApp.app, ip), `nobody-${i}@example.com`, 'guess'),
		);
		expect(new Set(await Promise.all(guesses))).toEqual(new Set([401]));
		const { email: otherEmail } = await makeOwner();
		for (const address of [email, otherEmail])
			expect(await tryFrom(createHttpClient(testApp.app, ip), address)).toBe(429);
		expect(await tryFrom(createHttpClient(testApp.app, '192.0.2.227'), otherEmail)).toBe(200);
		expect(await tryFrom(browser, email)).toBe(200);
	});
});

describe('the rate limit of known browsers and IP addresses', () => {
	test('refuses the eleventh sign-in in a known browser with a message, and allows a sign-in at another IP address', async () => {
		const { email, client: browser } = await makeOwner();
		for (let i = 0; i < 10; i += 1) expect(await tryFrom(browser, email, `guess ${i}`)).toBe(401);
		const refused = await signIn(browser, email);
		const message = 'Too many failed sign-ins. Please wait 15 minutes and try again.';
		expect(refused.json()).toMatchObject({ status: 429, code: 'TOO_MANY_SIGN_INS', message });
		expect(refused.headers['retry-after']).toBe('900');
		const hindi = await browser.call('POST', '/api/sign-in?lang=hi', { email, password: testPassword });
		expect(hindi.json().message).toMatch(/15 मिनट/u);
		expect(await tryFrom(createHttpClient(testApp.app, '192.0.2.225'), email)).toBe(200);
	});

	test('ignores forged device cookies and device cookies of other accounts', async () => {
		const { email } = await makeOwner();
		const attacker = await makeOwner();
		await guessUntilLimited(email);
		expect(await tryFrom(attacker.client, email)).toBe(429);
		const own = /folio_device=([^;]*)/u.exec(attacker.client.cookie())?.[1] ?? '';
		expect(own).toMatch(/^[\w-]{22}\.[\w-]{22}$/u);
		const forged = [own.replace(/^./u, 'A'), `${'A'.repeat(22)}.${'A'.repeat(22)}`, '.', '~~~', 'x'.repeat(4000)];
		for (const value of forged) {
			const client = createHttpClient(testApp.app, '192.0.2.226');
			expect((await signIn(client, email, { cookie: `folio_device=${value}` })).statusCode).toBe(429);
		}
	});

	test('stores at most five accounts in the device cookie', async () => {
		const browser = createHttpClient(testApp.app, '198.51.100.200');
		const emails: string[] = [];
		for (let i = 0; i < 6; i += 1) {
			const { email } = await makeOwner();
			emails.push(email);
			await browser.signIn(email, testPassword);
		}
		const entries = () => /folio_device=([^;]*)/u.exec(browser.cookie())?.[1]?.split('~') ?? [];
		expect(entries()).toHaveLength(5);
		const before = entries();
		await browser.signIn(emails[5] ?? '', testPassword);
		expect(entries()).toEqual(before);
		expect(entries().join()).not.toContain('@');
	});
});

describe('the session cookie', () => {
	test('has a new random value after each sign-in, also when the browser sent a session cookie', async () => {
		const victim = await makeOwner();
		const attacker = await makeOwner();
		const planted = /folio_session=([^;]*)/u.exec(attacker.client.cookie())?.[1] ?? '';
		for (const sentValue of [planted, 'chosen-by-somebody-else']) {
			const cookie = `folio_session=${sentValue}`;
			const answer = await signIn(createHttpClient(testApp.app, victim.ip), victim.email, { cookie });
			const newValue = answer.cookies.find(({ name }) => name === 'folio_session')?.value;
			expect(newValue).toMatch(/^[\w-]{43}$/u);
			expect(newValue).not.toBe(sentValue);
			const me = await createHttpClient(testApp.app).call('GET', '/api/me', undefined, { cookie });
			expect(me.json().email).not.toBe(victim.email);
		}
	});

	test('is Secure, HttpOnly and SameSite=Lax when the public URL uses HTTPS', async () => {
		const secure = await openSecondProcess(testApp, { PUBLIC_URL: 'https://folio.test', isSecure: true });
		const { email, client: browser } = await makeOwner();
		const answer = await signIn(createHttpClient(secure.app), email);
		expect(answer.cookies).toMatchObject([
			{ name: 'folio_session', httpOnly: true, secure: true, sameSite: 'Lax', path: '/' },
			{ name: 'folio_device', httpOnly: true, secure: true, sameSite: 'Lax', path: '/api' },
		]);
		await browser.call('POST', '/api/password/change', { currentPassword: testPassword, password: 'another one' });
		expect(browser.cookie()).toContain('folio_session=');
	});

	test.each(['', 'gone', 'x'.repeat(3000), '%00', '%E0%A4%A', '"', '../..'])(
		'with the value %j is refused with 401',
		async (value) => {
			const cookie = `folio_session=${value}`;
			expect((await createHttpClient(testApp.app).call('GET', '/api/me', undefined, { cookie })).statusCode).toBe(401);
			const page = await createHttpClient(testApp.app).call('GET', '/dashboard', undefined, { cookie });
			expect([page.statusCode, page.headers.location]).toEqual([302, '/']);
		},
	);
});
