import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createMailSender } from '#server/features/mail/outbox/mail-sender.ts';
import { enqueueMail, type Mail, mailFilePath } from '#server/features/mail/outbox/outbox.service.ts';
import { sendMailAgain } from '#server/features/mail/outbox/unsent-mails.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { findRows, getRow } from '../../support/app/database-rows.ts';
import { createHttpClient, multipart } from '../../support/app/http-client.ts';
import { openSecondProcess, openTestApp } from '../../support/app/shared-test-app.ts';
import { createTestApp, type TestApp } from '../../support/app/test-app.ts';
import { adminCaller, makeSignedInUser, makeUser } from '../../support/app/users.ts';
import { makePicture } from '../../support/documents/images.ts';
import { sendCheckoutForm } from '../../support/fixtures/checkout.ts';
import { disableOrderMails } from '../../support/fixtures/orders.ts';
import { startSmtp } from '../../support/services/mail-server.ts';

let smtp = await startSmtp();
afterAll(() => smtp.stop());
const settings = {
	SMTP_URL: smtp.url.replace('//', '//folio:secret@'),
	MAIL_FROM: 'Sample Shop <shop@folio.test>',
};
const { testApp, admin } = await openTestApp(settings, 'owner@example.com');
await disableOrderMails(testApp.deps);
beforeEach(async () => {
	await testApp.deps.db.deleteFrom('outbox').execute();
	smtp.mails.length = 0;
});

async function buy(email: string, to: TestApp = testApp): Promise<string> {
	const fields = { name: 'Asha <b>Rao</b>', email };
	const screenshot = { bytes: await makePicture() };
	const answer = await sendCheckoutForm(createHttpClient(to.app), fields, screenshot, { host: 'evil.example' });
	expect(answer.statusCode).toBe(200);
	return answer.json().statusUrl;
}
const outbox = () => findRows(testApp.deps, 'outbox');
const status = async () => (await admin.call('GET', '/api/outbox/status')).json();
const weekSeconds = 7 * 24 * 3600;
/** Returns the seconds until each password link of a user expires, or null for a link that does not expire. */
async function secondsLeft(email: string): Promise<Array<number | null>> {
	const links = await testApp.deps.db
		.selectFrom('password_links')
		.innerJoin('users', 'users.id', 'password_links.user_id')
		.select('expires_at')
		.where('email', '=', email)
		.execute();
	const now = testApp.clock.now().getTime();
	return links.map(({ expires_at }) => (expires_at === null ? null : (Date.parse(expires_at) - now) / 1000));
}

test('a mail to a buyer has the contact address in its text and in Reply-To, if the address is set', async () => {
	const path = '/api/settings/contact-info';
	const before = (await admin.call('GET', '/api/contact-info')).json();
	const saved = await admin.call('PUT', path, { ...before, email: 'help@folio.test' });
	expect(saved.statusCode).toBe(200);
	await buy('asks@example.com');
	await testApp.runDueWork();
	const [mail] = smtp.mails;
	expect(mail?.replyTo).toEqual([{ name: '', address: 'help@folio.test' }]);
	const sentence = 'Any issue? Re-submit the form, or write to help@folio.test.';
	expect(mail?.text).toContain(sentence);
	expect(mail?.html).toContain(sentence);
	await admin.call('PUT', path, { ...before, version: saved.json().version });
	await buy('has.nobody@example.com');
	await testApp.runDueWork();
	expect(smtp.mails[1]?.replyTo).toBeUndefined();
	expect(smtp.mails[1]?.text).toContain('Any issue? Re-submit the form. You');
});

describe('an SMTP server that refuses mails', () => {
	test('with a status of 4xx gets the mail again after increasing intervals, with a link that is valid for a week', async () => {
		smtp.refuseWith(451);
		await buy('later@example.com');
		for (const pause of [2, 4, 8, 16, 32, 64, 120, 120]) {
			const before = smtp.attempts();
			await testApp.runDueWork();
			await testApp.runDueWork();
			expect(smtp.attempts()).toBe(before + 1);
			const [row] = await outbox();
			expect(Date.parse(row?.next_attempt_at ?? '') - testApp.clock.now().getTime()).toBe(pause * 1000);
			testApp.clock.advance(pause);
		}
		expect(await status()).toMatchObject({ waiting: 1, notSent: 0, lastError: expect.stringContaining('451') });
		const [row] = await outbox();
		smtp.refuseWith(null);
		await testApp.runDueWork();
		expect(smtp.mails).toMatchObject([{ messageId: row?.message_id }]);
		expect(await secondsLeft('later@example.com')).toEqual([weekSeconds]);
	});

	test('with a status of 5xx gets no second attempt, and the mail is counted as not sent', async () => {
		smtp.refuseWith(550);
		await buy('nobody@example.com');
		await testApp.runDueWork();
		testApp.clock.advance(3600);
		const before = smtp.attempts();
		await testApp.runDueWork();
		expect(smtp.attempts()).toBe(before);
		smtp.refuseWith(null);
		expect(await outbox()).toMatchObject([{ state: 'failed', attempts: 1 }]);
		expect(await status()).toMatchObject({ waiting: 0, notSent: 1, lastError: expect.stringContaining('550') });
	});

	test('at the SMTP sign-in gets the mail again later', async () => {
		smtp.refuseSignIn(true);
		await buy('patient@example.com');
		await testApp.runDueWork();
		expect(await outbox()).toMatchObject([{ state: 'waiting' }]);
		smtp.refuseSignIn(false);
		testApp.clock.advance(300);
		await testApp.runDueWork();
		expect(smtp.mails).toHaveLength(1);
	});
});

test('an SMTP server that accepts connections and never answers gets the mail again later, and the error is reported', async () => {
	const server = createServer().listen(0, '127.0.0.1');
	onTestFinished(() => void server.close());
	await once(server, 'listening');
	const SMTP_URL = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
	await using silentApp = await createTestApp({ ...settings, SMTP_URL });
	await disableOrderMails(silentApp.deps);
	await buy('waits@example.com', silentApp);
	const sending = silentApp.runDueWork();
	await buy('meanwhile@example.com', silentApp);
	await sending;
	for (const row of await findRows(silentApp.deps, 'outbox'))
		expect(row).toMatchObject({ state: 'waiting', attempts: 1, last_error: expect.stringMatching(/greeting/iu) });
	const { client } = await makeSignedInUser(silentApp, 'owner@example.com', 'admin');
	const reported = { waiting: 2, notSent: 0, lastError: expect.stringMatching(/greeting/iu) };
	expect((await client.call('GET', '/api/outbox/status')).json()).toMatchObject(reported);
});

describe('the list of unsent mails', () => {
	const list = async (query = '') => (await admin.call('GET', `/api/outbox/unsent${query}`)).json();
	const act = (id: string, action: 'send' | 'login-link', client = admin) =>
		client.call('POST', `/api/outbox/${id}/${action}`, {});
	const failedMailTo = async (email: string): Promise<{ id: string }> => {
		smtp.refuseWith(550);
		await buy(email);
		await testApp.runDueWork();
		smtp.refuseWith(null);
		return (await list()).items.find(({ to }: { to: string }) => to === email);
	};

	test('pages through them, newest first, with the recipient, the kind and the reason', async () => {
		for (const name of ['a', 'b', 'c']) {
			testApp.clock.advance(1);
			await failedMailTo(`list.${name}@example.com`);
		}
		const first = await list('?limit=2');
		const item = { kind: 'credentials', state: 'failed', hasLoginLink: true, canSendAgain: true };
		expect(first.items).toMatchObject([
			{ ...item, to: 'list.c@example.com', error: expect.stringContaining('550') },
			{ ...item, to: 'list.b@example.com' },
		]);
		expect(JSON.stringify(first)).not.toContain('token');
		const second = await list(`?limit=2&cursor=${first.nextCursor}`);
		expect(second).toMatchObject({ items: [{ to: 'list.a@example.com' }], nextCursor: null });
	});

	test('replaces a login that is sent again by a new mail with a new link', async () => {
		const { id } = await failedMailTo('login.again@example.com');
		expect((await act(id, 'send')).statusCode).toBe(200);
		await testApp.runDueWork();
		expect(smtp.mails).toMatchObject([{ to: [{ address: 'login.again@example.com' }] }]);
		expect(smtp.mails[0]?.text).toContain('/set-password?');
		expect(await list()).toEqual({ items: [], nextCursor: null });
		expect((await act(id, 'send')).statusCode).toBe(404);
		expect(await getRow(testApp.deps, 'audit', { action: 'mail-sent-again' })).toMatchObject({
			actor_email: 'owner@example.com',
			detail: '{"email":"login.again@example.com"}',
		});
	});

	test('sends a mail without a login again as it was, also after it was written to a file', async () => {
		const withoutSmtp = { ...testApp.deps, config: { ...testApp.deps.config, SMTP_URL: undefined } };
		const notice: Mail = { kind: 'two-factor-on', to: 'notice@example.com', locale: 'en' };
		await inTransaction(testApp.deps.db, (tx) => enqueueMail(testApp.deps, tx, notice));
		await createMailSender(withoutSmtp)();
		const [{ id, ...item }] = (await list()).items;
		expect(item).toMatchObject({ state: 'file', error: null, hasLoginLink: false, canSendAgain: true });
		expect((await act(id, 'login-link')).statusCode).toBe(404);
		expect((await act(id, 'send')).statusCode).toBe(200);
		await testApp.runDueWork();
		expect(smtp.mails).toMatchObject([{ to: [{ address: notice.to }], subject: 'Two-factor sign-in is on' }]);
		expect(await outbox()).toMatchObject([{ state: 'sent', payload_sealed: null }]);
	});

	test('keeps the file of a mail that is sent again without a mail server, because the mail is written to it again', async () => {
		const withoutSmtp = { ...testApp.deps, config: { ...testApp.deps.config, SMTP_URL: undefined } };
		const notice: Mail = { kind: 'two-factor-off', to: 'notice@example.com', locale: 'en' };
		await inTransaction(testApp.deps.db, (tx) => enqueueMail(testApp.deps, tx, notice));
		await createMailSender(withoutSmtp)();
		const { id, message_id } = await getRow(testApp.deps, 'outbox', {});
		await sendMailAgain(withoutSmtp, adminCaller('admin', 'owner@example.com'), id);
		expect(existsSync(mailFilePath(withoutSmtp, message_id))).toBe(true);
	});

	test('creates a link that sets the password of the recipient once, within a week', async () => {
		const email = 'copied@example.com';
		const { id } = await failedMailTo(email);
		const { url } = (await act(id, 'login-link')).json();
		expect(await secondsLeft(email)).toContain(weekSeconds);
		const [, token] = url.split('/set-password#token=');
		const visitor = createHttpClient(testApp.app);
		const setPassword = () => visitor.call('POST', '/api/password/set', { token, password: 'chosen by the buyer' });
		expect((await setPassword()).statusCode).toBe(200);
		expect((await setPassword()).json().code).toBe('LINK_INVALID');
		await visitor.signIn(email, 'chosen by the buyer');
		const { detail } = await getRow(testApp.deps, 'audit', { action: 'login-link-copied' });
		expect(JSON.parse(detail)).toEqual({ email });
	});

	test('creates no link for an admin, a deactivated user or an address without an account', async () => {
		const { id } = await failedMailTo('refused@example.com');
		const refusalFor = async (change: object) => {
			await testApp.deps.db.updateTable('users').set(change).where('email', '=', 'refused@example.com').execute();
			return (await act(id, 'login-link')).json().code;
		};
		expect(await refusalFor({ role: 'admin' })).toBe('FORBIDDEN');
		expect(await refusalFor({ role: 'user', active: 0 })).toBe('LOGIN_NOT_OPEN');
		expect((await act(id, 'send')).json().code).toBe('LOGIN_NOT_OPEN');
		await testApp.deps.db.updateTable('outbox').set({ recipient: 'gone@example.com' }).where('id', '=', id).execute();
		expect((await act(id, 'login-link')).json().code).toBe('RECIPIENT_UNKNOWN');
		expect((await act(id, 'send')).json().code).toBe('RECIPIENT_UNKNOWN');
	});
});

const saveMailSettings = (isOrderMailed: boolean, version: number) => {
	const mailSettings = { isOrderMailed, isChatMailed: false, orderMailTo: '', seller: 'Shop', version };
	return admin.call('PUT', '/api/settings/mail', mailSettings);
};

/** Causes each kind of order mail to the buyer and to the owner. */
async function causeEveryMail(email: string) {
	await saveMailSettings(true, 1);
	await makeUser(testApp.deps, `known-${email}`);
	await buy(`known-${email}`);
	const path = await buy(email);
	const form = multipart({});
	await createHttpClient(testApp.app).call('POST', `${path}/login`, form.body, form.headers);
	await saveMailSettings(false, 2);
	const [order] = (await admin.call('GET', `/api/orders?search=${email}&status=Pending`)).json().items;
	const { id, name, phone, upiId, version } = order;
	await admin.call('POST', `/api/orders/${id}/note`, { note: 'Unreadable', was: null, isProofWanted: true });
	const body = { name, email: order.email, phone, upiId, version, status: 'Complete' };
	await admin.call('PUT', `/api/orders/${id}`, body);
}

test('delivers each kind of order mail once after an hour without an SMTP server, and deletes the stored content', async () => {
	const port = Number(new URL(smtp.url).port);
	await smtp.stop();
	await causeEveryMail('every@example.com');
	const kinds = ['credentials', 'login-again', 'new-order', 'new-order', 'order-received', 'proof-wanted', 'receipt'];
	expect((await outbox()).map(({ kind }) => kind).toSorted()).toEqual(kinds);
	for (const { payload_sealed } of await outbox()) expect(payload_sealed).toMatch(/^v1\./u);
	for (let minute = 0; minute < 60; minute += 5) {
		await testApp.runDueWork();
		testApp.clock.advance(300);
	}
	smtp = await startSmtp(port);
	testApp.clock.advance(300);
	await testApp.runDueWork();
	const ids = (await outbox()).map(({ message_id }) => message_id);
	expect(smtp.mails.map(({ messageId }) => messageId).toSorted()).toEqual(ids.toSorted());
	for (const row of await outbox())
		expect(row).toMatchObject({ state: 'sent', payload_sealed: null, sent_at: testApp.clock.now().toISOString() });
	expect(await secondsLeft('every@example.com')).toEqual([weekSeconds, weekSeconds]);
	const sender = settings.MAIL_FROM;
	expect(await status()).toEqual({ transport: 'smtp', sender, waiting: 0, notSent: 0, lastError: null });
	for (const { from, messageId, text = '', html = '', attachments } of smtp.mails) {
		expect(from).toEqual({ name: 'Sample Shop', address: 'shop@folio.test' });
		expect(messageId).toMatch(/^<[\w-]{22}@folio\.test>$/u);
		// With the image as an attachment, the mail loads nothing from the network.
		expect(html.match(/(?:src|background)="(?!cid:)[^"]*"/gu)).toBeNull();
		expect(attachments).toHaveLength(1);
		// The URLs begin with PUBLIC_URL instead of the Host header.
		expect(text).toContain('http://folio.test/');
		expect(html).toContain('http://folio.test/');
		expect(`${text}${html}`).not.toContain('evil.example');
		expect(html).not.toContain('<b>Rao</b>');
	}
});

test('sends a mail at most twice and with the same Message-ID when its process is killed after DATA', async () => {
	smtp.leaveUnanswered(true);
	await buy('killed@example.com');
	const killed = testApp.runDueWork();
	await expect.poll(() => smtp.mails.length).toBe(1);
	const next = await openSecondProcess(testApp);
	// The lease of the killed process must expire first.
	await next.runDueWork();
	expect(smtp.mails).toHaveLength(1);
	await testApp.deps.db.updateTable('outbox').set({ leased_until: '2020-01-01T00:00:00.000Z' }).execute();
	const resent = next.runDueWork();
	await expect.poll(() => smtp.mails.length).toBe(2);
	smtp.leaveUnanswered(false);
	await Promise.all([killed, resent]);
	await next.runDueWork();
	expect(smtp.mails.map(({ messageId }) => messageId)).toEqual(Array(2).fill(smtp.mails[0]?.messageId));
	expect(await outbox()).toMatchObject([{ state: 'sent', payload_sealed: null }]);
});

describe('POST /api/outbox/test', () => {
	const sendTest = async (to = 'desk@example.com') => (await admin.call('POST', '/api/outbox/test', { to })).json();

	test('mails the entered address directly, without the outbox', async () => {
		expect(await sendTest()).toEqual({ to: 'desk@example.com', result: 'sent', error: null });
		expect(smtp.mails).toMatchObject([{ to: [{ address: 'desk@example.com' }], subject: 'Test email from Folio' }]);
		expect(await outbox()).toEqual([]);
	});

	test('refuses an address that receives no mail', async () => {
		for (const to of ['owner@folio.local', 'desk'])
			expect(await sendTest(to)).toMatchObject({ code: 'INVALID_INPUT', fields: { to: expect.any(String) } });
		expect(smtp.mails).toEqual([]);
	});

	test('returns the error of an SMTP server that refuses the test mail, or the sign-in', async () => {
		smtp.refuseWith(550);
		expect(await sendTest()).toMatchObject({ result: 'refused', error: expect.stringContaining('550') });
		smtp.refuseWith(null);
		smtp.refuseSignIn(true);
		expect(await sendTest()).toMatchObject({ result: 'failed', error: expect.stringContaining('Invalid login') });
		smtp.refuseSignIn(false);
	});

	test.each([
		['Shop <shop@folio.test>', 'folio', { name: 'Shop', address: 'shop@folio.test' }],
		[undefined, 'you%40shop.example', { name: 'Folio', address: 'you@shop.example' }],
		[undefined, 'folio', { name: 'Folio', address: 'folio@localhost' }],
	])('with MAIL_FROM %j and the SMTP user %s, is sent by %j', async (from, user, sender) => {
		const { config } = testApp.deps;
		const before = { ...config };
		Object.assign(config, { MAIL_FROM: from, SMTP_URL: smtp.url.replace('//', `//${user}:secret@`) });
		onTestFinished(() => void Object.assign(config, before));
		expect(await sendTest()).toMatchObject({ result: 'sent' });
		expect(smtp.mails[0]?.from).toEqual(sender);
		expect((await status()).sender).toBe(`${sender.name} <${sender.address}>`);
	});
});

test('without an SMTP server, each mail is saved as a file with mode 600 and counted as not sent', async () => {
	const appWithoutSmtp = await createTestApp();
	onTestFinished(() => appWithoutSmtp.close());
	const { client: owner } = await makeSignedInUser(appWithoutSmtp, 'owner@example.com', 'admin');
	await disableOrderMails(appWithoutSmtp.deps);
	await buy('filed@example.com', appWithoutSmtp);
	const [mail] = await appWithoutSmtp.runDueWork();
	const folder = join(appWithoutSmtp.deps.config.DATA_DIR, 'mail');
	const [name = ''] = await readdir(folder);
	const row = await getRow(appWithoutSmtp.deps, 'outbox', {});
	expect(name).toBe(`${row.message_id.slice(1, -1)}.eml`);
	expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
	expect(await readFile(join(folder, name), 'utf8')).toContain('MIME-Version: 1.0');
	expect(mail).toMatchObject({ messageId: row.message_id, to: [{ address: 'filed@example.com' }] });
	expect(row).toMatchObject({ state: 'file', payload_sealed: null });
	expect((await owner.call('GET', '/api/outbox/status')).json()).toEqual({
		transport: 'file',
		sender: 'Folio <folio@localhost>',
		waiting: 0,
		notSent: 1,
		lastError: null,
	});
});
