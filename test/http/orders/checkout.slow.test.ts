import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openSecondProcess, openTestApp } from '../../support/app/shared-test-app.ts';
import { listMailsTo, type TestApp, tokenIn } from '../../support/app/test-app.ts';
import { makeUser, testPassword } from '../../support/app/users.ts';
import { makeHugePng, makePicture } from '../../support/documents/images.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { sendCheckoutForm } from '../../support/fixtures/checkout.ts';
import { disableOrderMails } from '../../support/fixtures/orders.ts';

const { testApp, admin } = await openTestApp({}, 'owner@example.com');
await disableOrderMails(testApp.deps);
const picture = await makePicture();

const thanks = 'Purchase Complated Id Password sent on Email';
const failed = 'Error submitting form. Please try again.';

interface Attempt {
	fields?: Record<string, string>;
	screenshot?: { name?: string; type?: string; bytes: Buffer } | null;
	headers?: Record<string, string>;
	to?: TestApp;
	ip?: string;
}

let count = 0;
/** Submits the form like the script of the page, by default from a new IP address. */
function buy({ fields, screenshot = { bytes: picture }, headers, to = testApp, ip }: Attempt = {}) {
	count += 1;
	const visitor = createHttpClient(to.app, ip ?? `198.51.${Math.floor(count / 250)}.${count % 250}`);
	return sendCheckoutForm(visitor, { email: `buyer-${count}@example.com`, ...fields }, screenshot, headers);
}
const ordersOf = async (email: string) =>
	(await admin.call('GET', `/api/orders?limit=1000&search=${encodeURIComponent(email)}`)).json().items;
const userOf = (email: string) => getRow(testApp.deps, 'users', { email });
const mailsTo = (email: string) => listMailsTo(testApp, email);

describe('a purchase', () => {
	test('has the price, status and time of the server, and ignores these fields of the form', async () => {
		const ignored = { price: '1', status: 'Complete', createdAt: '1999', userId: 'x', role: 'admin', active: '0' };
		const answer = await buy({ fields: { email: 'cheap@example.com', ...ignored } });
		expect(answer.statusCode).toBe(200);
		expect(answer.json()).toEqual({
			message: thanks,
			statusUrl: expect.stringMatching(/^\/order\/[\w-]{43}$/u),
			code: expect.stringMatching(/^[A-Z]{3}-\w{4}-\w{2}$/u),
		});
		expect(await ordersOf('cheap@example.com')).toMatchObject([
			{ price: 499, status: 'Pending', createdAt: testApp.clock.now().toISOString() },
		]);
		const user = { role: 'user', active: 1, name: 'Asha Rao', has_initial_password: 1 };
		expect(await userOf('cheap@example.com')).toMatchObject(user);
	});

	test('is refused without a payment reference only if the owner requires one, and then stores nothing', async () => {
		expect((await saveBook(admin, { utrRequest: 'required' })).statusCode).toBe(200);
		const email = 'without-utr@example.com';
		const before = await dumpDatabase(testApp.deps);
		const refused = await buy({ fields: { email, utr: ' ' } });
		expect([refused.statusCode, refused.json().fields]).toEqual([422, { utr: 'Please fill in this field.' }]);
		expect(await dumpDatabase(testApp.deps)).toEqual(before);
		expect((await buy({ fields: { email, utr: '532411870927' } })).statusCode).toBe(200);
		for (const utrRequest of ['optional', 'wanted']) {
			await saveBook(admin, { utrRequest });
			expect((await buy({ fields: { email: `${utrRequest}@example.com` } })).statusCode).toBe(200);
		}
	});

	test('mails a random password, which is not the name, and a link in the language of the page', async () => {
		await buy({ fields: { email: 'hindi@example.com', name: 'विद्यार्थी' }, headers: { cookie: 'lang=hi' } });
		const [mail] = await mailsTo('hindi@example.com');
		expect(mail?.subject).toMatch(/\p{Script=Devanagari}/u);
		expect(mail?.text).toContain('http://folio.test/set-password?lang=hi#token=');
		const password = /[a-z]+-\d\d-[a-z]+-[a-z]+-[a-z]+/u.exec(mail?.text ?? '')?.[0] ?? '';
		await createHttpClient(testApp.app).signIn('hindi@example.com', password);
		await expect(createHttpClient(testApp.app).signIn('hindi@example.com', 'विद्यार्थी')).rejects.toThrow('LOGIN_FAILED');
	});

	test('with the email of an admin or a deactivated user changes no user, and gets the same response as with a new email', async () => {
		const id = await makeUser(testApp.deps, 'off@example.com');
		await admin.call('POST', `/api/users/${id}/active`, { active: false });
		const accounts = () => Promise.all(['owner@example.com', 'off@example.com'].map(userOf));
		const before = await accounts();
		expect((await buy({ fields: { email: 'off@example.com' } })).statusCode).toBe(200);
		const known = await buy({ fields: { email: 'OWNER@example.com', name: 'Somebody Else' } });
		const unknown = await buy({ fields: { email: 'stranger@example.com', name: 'Somebody Else' } });
		const comparable = ({ statusCode, body, headers }: typeof known) => ({
			statusCode,
			body: body.replace(/("\/order\/)[\w-]{43}"/u, '$1"').replace(/("code":")[A-Z]{3}-\w{4}-\w{2}"/u, '$1"'),
			headers: { ...headers, date: '' },
		});
		expect(comparable(known)).toEqual(comparable(unknown));
		expect(await accounts()).toEqual(before);
		expect((await admin.call('GET', '/api/me')).statusCode).toBe(200);
		const [mail] = await mailsTo('owner@example.com');
		expect(mail?.text).not.toMatch(/[a-z]+-\d\d-[a-z]+-[a-z]+-[a-z]+/u);
		expect(mail?.text).toContain('This address has a login already');
		expect(mail?.text).toContain('/set-password');
		expect(await ordersOf('OWNER@example.com')).toMatchObject([{ name: 'Somebody Else', status: 'Pending' }]);
	});

	test('with a full-width letter in the email is mailed to the normalized email', async () => {
		expect((await buy({ fields: { email: 'ｌookalike@example.com' } })).statusCode).toBe(200);
		expect((await buy({ fields: { email: 'lookalike@example.com' } })).statusCode).toBe(200);
		expect(await mailsTo('lookalike@example.com')).toHaveLength(2);
		expect(await mailsTo('ｌookalike@example.com')).toEqual([]);
		expect((await buy({ fields: { email: 'two@example.com，one@example.com' } })).statusCode).toBe(422);
	});

	test('that is repeated while the order is pending adds a payment proof with the changed fields as proposals', async () => {
		const email = 'again@example.com';
		await buy({ fields: { email } });
		testApp.clock.advance(5);
		await buy({ fields: { email: 'AGAIN@Example.com', name: 'Asha R. Rao', phone: '1', upiId: 'new@bank' } });
		const [order, ...more] = await ordersOf(email);
		expect(more).toEqual([]);
		const unchanged = { name: 'Asha Rao', phone: '98230 55512', upiId: 'asha@examplebank' };
		expect(order).toMatchObject({ ...unchanged, proofCount: 2, version: 2 });
		const proofs = (await admin.call('GET', `/api/orders/${order.id}/proofs`)).json();
		expect(proofs).toMatchObject([
			{ proposals: { name: 'Asha R. Rao', phone: '1', upiId: 'new@bank' } },
			{ proposals: { name: null, phone: null, upiId: null } },
		]);
		expect(order.screenshot).toBe(proofs[0].url);
		const { name, phone, upiId, version } = order;
		await admin.call('PUT', `/api/orders/${order.id}`, { name, email, phone, upiId, status: 'Complete', version });
		await buy({ fields: { email } });
		expect(await ordersOf(email)).toHaveLength(2);
	});

	test('that is sent three times at the same time creates one order with three payment proofs and one password', async () => {
		const email = 'double@example.com';
		const answers = await Promise.all([1, 2, 3].map(() => buy({ fields: { email } })));
		expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
		expect(await ordersOf(email)).toMatchObject([{ proofCount: 3 }]);
		expect((await mailsTo(email)).filter(({ text }) => /Password: /u.test(text ?? ''))).toHaveLength(1);
	});

	test('mails the name as the password with BUYER_PASSWORD=name, unless the name is too short', async () => {
		const literal = await openSecondProcess(testApp, { BUYER_PASSWORD: 'name' });
		await buy({ to: literal, fields: { email: 'literal@example.com', name: 'Meera Nair' } });
		await createHttpClient(testApp.app).signIn('literal@example.com', 'Meera Nair');
		expect((await mailsTo('literal@example.com'))[0]?.text).toContain('Password: Meera Nair');
		await buy({ to: literal, fields: { email: 'short@example.com', name: 'Meera' } });
		await expect(createHttpClient(testApp.app).signIn('short@example.com', 'Meera')).rejects.toThrow('LOGIN_FAILED');
	});
});

describe('the mailed first password', () => {
	const first = async (email: string) => {
		await buy({ fields: { email } });
		testApp.clock.advance(3 * 24 * 3600);
		const [mail] = await mailsTo(email);
		return { password: /Password: (\S+)/u.exec(mail?.text ?? '')?.[1] ?? '', token: tokenIn(mail) };
	};

	test('expires together with its link seven days after it was sent, unless it was used', async () => {
		const { password, token } = await first('unused@example.com');
		testApp.clock.advance(7 * 24 * 3600 - 1);
		const check = async () =>
			(await createHttpClient(testApp.app).call('POST', '/api/password/check-link', { token })).json().isUsable;
		expect(await check()).toBe(true);
		testApp.clock.advance(1);
		expect(await check()).toBe(false);
		await expect(createHttpClient(testApp.app).signIn('unused@example.com', password)).rejects.toThrow('LOGIN_FAILED');
	});

	test('remains valid after seven days if it was used, and /api/me returns hasInitialPassword as true', async () => {
		const { password } = await first('used@example.com');
		const buyer = createHttpClient(testApp.app);
		await buyer.signIn('used@example.com', password);
		expect((await buyer.call('GET', '/api/me')).json()).toMatchObject({ hasInitialPassword: true, name: 'Asha Rao' });
		testApp.clock.advance(20 * 24 * 3600);
		await createHttpClient(testApp.app).signIn('used@example.com', password);
		await admin.signIn('owner@example.com', testPassword);
	});
});

describe('the screenshot', () => {
	test.each(['png', 'jpeg', 'webp', 'gif'] as const)(
		'in the format %s is stored as WebP, with a thumbnail',
		async (type) => {
			const bytes = Buffer.concat([await makePicture(type, 300, 900), Buffer.from('<script>trailing()</script>')]);
			const email = `${type}@example.com`;
			expect((await buy({ fields: { email }, screenshot: { name: '../../etc/x.png', bytes } })).statusCode).toBe(200);
			const [order] = await ordersOf(email);
			const full = await admin.call('GET', order.screenshot);
			expect(full.headers).toMatchObject({ 'content-type': 'image/webp', 'x-content-type-options': 'nosniff' });
			expect(full.rawPayload.includes('<script>')).toBe(false);
			expect(await sharp(full.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 300, height: 900 });
			const thumb = await admin.call('GET', `${order.screenshot}?thumb=1`);
			expect((await sharp(thumb.rawPayload).metadata()).width).toBeLessThanOrEqual(96);
		},
	);

	const notPicture = 'This file is not a picture that can be read. PNG, JPG or WebP, please.';
	const tooLarge =
		'This picture is too large: 10 MB and 50 megapixels at most, fewer as a GIF, WebP or progressive image.';
	const missing = 'Please attach the payment screenshot.';
	const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
	const unset = { name: '', type: 'application/octet-stream', bytes: Buffer.alloc(0) };
	const forged = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
	test.each([
		['missing', null, missing],
		['an empty file field', unset, missing],
		['of 0 bytes', { bytes: Buffer.alloc(0) }, notPicture],
		['HTML named .png', { bytes: Buffer.from('<!doctype html><script>alert(1)</script>') }, notPicture],
		['SVG', { name: 'a.svg', type: 'image/svg+xml', bytes: svg }, notPicture],
		['SVG named .jpg', { name: 'a.jpg', type: 'image/jpeg', bytes: svg }, notPicture],
		['only the first bytes of a PNG', { bytes: forged }, notPicture],
		['of 30,000 × 30,000 pixels', { name: 'bomb.png', bytes: makeHugePng(30_000, 30_000) }, tooLarge],
		['over 10 MiB', { bytes: Buffer.alloc(10 * 1024 * 1024 + 1) }, tooLarge],
	])('is refused with a field error, and nothing is stored: %s', async (_what, screenshot, message) => {
		const before = await dumpDatabase(testApp.deps);
		const memory = process.memoryUsage().rss;
		const answer = await buy({ screenshot });
		expect(answer.json()).toMatchObject({ code: 'PURCHASE_INVALID', message: failed, fields: { screenshot: message } });
		expect(answer.statusCode).toBe(422);
		expect(process.memoryUsage().rss - memory).toBeLessThan(200 * 1024 * 1024);
		expect(await dumpDatabase(testApp.deps)).toEqual(before);
	});

	test('is refused when half of the file is missing', async () => {
		const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
		const create = { width: 400, height: 400, channels: 3, background: 'white', noise } as const;
		const whole = await sharp({ create }).png().toBuffer();
		const answer = await buy({ screenshot: { bytes: whole.subarray(0, whole.length / 2) } });
		expect(answer.json().fields).toEqual({ screenshot: notPicture });
	});
});

describe('the fields of the form', () => {
	const long = 'x'.repeat(301);
	const required = 'Please fill in this field.';
	const isTooLong = 'This is too long.';
	const address = 'Enter a full address, like name@example.com.';
	test.each([
		['name', '', required],
		['name', ' \t', required],
		['name', long, isTooLong],
		['phone', '', required],
		['phone', long, isTooLong],
		['upiId', '', required],
		['upiId', long, isTooLong],
		['utr', long, isTooLong],
		['email', '', required],
		['email', 'nobody', address],
		['email', 'a@b', address],
		['email', 'a b@example.com', address],
		['email', 'a@example.com,b@example.com', address],
		['email', 'a@example.com\r\nBcc: x@example.com', address],
		['email', 'a\0b@example.com', address],
		['email', `${'x'.repeat(250)}@example.com`, isTooLong],
		['email', '<b>@example.com', address],
		['name', 'क'.repeat(301), isTooLong],
	])('refuse %s %.20j with a field error, and nothing is stored', async (field, value, message) => {
		const before = await dumpDatabase(testApp.deps);
		const answer = await buy({ fields: { [field]: value } });
		expect(answer.statusCode).toBe(422);
		expect(answer.json()).toMatchObject({ message: failed, fields: { [field]: message } });
		expect(Object.keys(answer.json().fields)).toEqual([field]);
		expect(await dumpDatabase(testApp.deps)).toEqual(before);
	});

	test('all have an error when all are empty', async () => {
		const answer = await buy({ fields: { name: '', phone: '', email: '', upiId: '' }, screenshot: null });
		expect(Object.keys(answer.json().fields).sort()).toEqual(['email', 'name', 'phone', 'screenshot', 'upiId']);
	});

	test.each([
		['markup', '<img src=x onerror=alert(1)>'],
		['emoji', '🏔️👩‍👩‍👧‍👦'],
		['Devanagari', 'श्री विद्यार्थी क्ष', ['phone', 'upiId']],
		['a formula', '=HYPERLINK("http://evil.example")'],
		['300 characters', 'य'.repeat(300)],
		['quotes', `'"; drop table orders; --`],
		['line breaks', 'one\ntwo'],
	])('accept %s and store the text unchanged', async (_what, value, odd = ['name', 'phone', 'upiId']) => {
		const email = `text-${count}@example.com`;
		expect((await buy({ fields: { name: value, phone: value, upiId: value, email } })).statusCode).toBe(200);
		expect(await ordersOf(email)).toMatchObject([{ name: value, phone: value, upiId: value, oddFields: odd }]);
		const [mail] = await mailsTo(email);
		expect(mail?.html).not.toContain('<img src=x');
	});

	test.each([100_000, 2_000_000])('refuse %d characters without a server error', async (length) => {
		const answer = await buy({ fields: { name: 'x'.repeat(length) } });
		expect(answer.statusCode).toBeOneOf([413, 422]);
		expect(answer.json().message).not.toBe('');
	});

	test.each([
		['nothing', ''],
		['an incomplete form', '------folio-test-boundary\r\nContent-Disposition: form-data; name="name"\r\n\r\nA'],
		['other text', 'noise'],
	])('are refused when the request contains %s', async (_what, body) => {
		const type = 'multipart/form-data; boundary=----folio-test-boundary';
		const headers = { 'content-type': type, accept: 'application/json' };
		const answer = await createHttpClient(testApp.app).call('POST', '/purchase', Buffer.from(body), headers);
		expect(answer.statusCode).toBeOneOf([400, 413, 422]);
	});

	test('are refused with 415 as JSON', async () => {
		expect((await admin.call('POST', '/purchase', { name: 'x' })).statusCode).toBe(415);
	});
});

test('a purchase is refused when another site sends the form, without a page that shows what it has sent', async () => {
	const before = await dumpDatabase(testApp.deps);
	const crossSite: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }];
	for (const headers of crossSite) {
		const { statusCode, body } = await buy({
			headers: { ...headers, accept: 'text/html' },
			fields: { email: 'other.site@example.com' },
		});
		expect(statusCode).toBe(403);
		expect(body).not.toContain('other.site@example.com');
	}
	expect(await dumpDatabase(testApp.deps)).toEqual(before);
});

test('a purchase at an unknown address is refused with the name of the setting and what was typed', async () => {
	const before = await dumpDatabase(testApp.deps);
	const headers = {
		host: '192.0.2.7',
		origin: 'http://192.0.2.7',
		'sec-fetch-site': 'same-origin',
		accept: 'text/html',
	};
	const { statusCode, body } = await buy({ headers, fields: { email: 'typed@example.com' } });
	expect(statusCode).toBe(403);
	expect(body).toContain('set PUBLIC_URL to http://192.0.2.7');
	expect(body).toContain('value="typed@example.com"');
	expect(await dumpDatabase(testApp.deps)).toEqual(before);
});

test('a purchase with a small screenshot does not wait for six purchases with very large screenshots', async () => {
	const large = { bytes: makeHugePng(4000, 3200) };
	const done: string[] = [];
	const send = async (name: string, attempt: Attempt) => {
		expect((await buy(attempt)).statusCode).toBe(200);
		done.push(name);
	};
	const all = Array.from({ length: 6 }, () => send('large', { screenshot: large }));
	await Promise.all([...all, send('usual', {})]);
	expect(done.indexOf('usual')).toBeLessThan(3);
});

test('an IP address can send thirty purchases an hour, and refused purchases are not counted', async () => {
	const ip = '192.0.2.30';
	await buy({ ip, fields: { name: '' } });
	for (let i = 0; i < 30; i += 1)
		expect((await buy({ ip, fields: { email: 'many@example.com' } })).statusCode).toBe(200);
	const mailsToBuyer = () => findRows(testApp.deps, 'outbox', { recipient: 'many@example.com' });
	expect(await mailsToBuyer()).toHaveLength(10);
	expect((await buy({ ip: '192.0.2.31', fields: { email: 'many@example.com' } })).statusCode).toBe(200);
	expect(await mailsToBuyer()).toHaveLength(11);
	const refused = await buy({ ip });
	expect(refused.json()).toMatchObject({ status: 429, code: 'TOO_MANY_PURCHASES' });
	expect(refused.headers['retry-after']).toBe('3600');
	expect((await buy()).statusCode).toBe(200);
	testApp.clock.advance(3601);
	expect((await buy({ ip })).statusCode).toBe(200);
});

test('a purchase with a server error returns the specified sentence, and stores nothing', async () => {
	const broken = await openSecondProcess(testApp);
	broken.deps.storage.put = () => Promise.reject(new Error('the disk is gone'));
	const before = await dumpDatabase(testApp.deps);
	const answer = await buy({ to: broken });
	expect(answer.json()).toMatchObject({ status: 500, code: 'PURCHASE_FAILED', message: failed });
	const after = await dumpDatabase(testApp.deps);
	expect({ ...after, rate_limits: [] }).toEqual({ ...before, rate_limits: [] });
});

test('the integrity check finds no problem after all purchases', async () => {
	testApp.clock.advance(7200);
	expect((await checkIntegrity(testApp.deps)).problems).toEqual([]);
});
