import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { FirstStep } from '#contract/setup/first-steps.ts';
import { ensureInitialAdmin } from '#server/features/accounts/administration/initial-admin.ts';
import { recordBackup } from '#server/features/maintenance/backup/backup.service.ts';
import { getRow } from '../../support/app/database-rows.ts';
import { createHttpClient, type HttpClient, postFile, smallPng } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { createTestApp, listAuditEntries, type TestApp } from '../../support/app/test-app.ts';
import { makeSignedInUser } from '../../support/app/users.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { makePdfFile } from '../../support/fixtures/files.ts';
import { startSmtp } from '../../support/services/mail-server.ts';
import { publish, saveField } from '../../support/storefront/storefront.ts';

const smtp = await startSmtp();
afterAll(() => smtp.stop());
const { testApp, deps, admin } = await openTestApp();

type StepKey = FirstStep['key'];

async function stepOf(key: StepKey, client = admin) {
	const { steps } = (await client.call('GET', '/api/first-steps')).json() as { steps: FirstStep[] };
	const { state, reason, value } = steps.find((step) => step.key === key) ?? {};
	return [state, reason, value];
}

const emptyBank = { name: '', accountNumber: '', ifsc: '', accountHolder: '' };
const emptyUpi = { id: '', name: '' };
const done = ['done', null, null];

test('lists every step as missing in a new installation, except the login, and the backup as optional', async () => {
	const { steps, folder, isDismissed } = (await admin.call('GET', '/api/first-steps')).json();
	expect(isDismissed).toBe(false);
	expect(folder).toBe(process.cwd());
	expect(steps).toEqual([
		{ key: 'login', state: 'done', reason: null, value: 'admin@example.com' },
		{ key: 'mail', state: 'missing', reason: 'no-server', value: null },
		{ key: 'book', state: 'missing', reason: 'not-saved', value: null },
		{ key: 'payment', state: 'missing', reason: 'no-payment', value: null },
		{ key: 'edition', state: 'missing', reason: 'no-file', value: null },
		{ key: 'storefront', state: 'missing', reason: 'default-content', value: null },
		{ key: 'address', state: 'missing', reason: 'not-https', value: 'http://folio.test' },
		{ key: 'backup', state: 'optional', reason: 'no-backup', value: null },
	]);
});

async function saveBookWith(changes: object) {
	const { upi, ...book } = (await admin.call('GET', '/api/settings/book')).json();
	const editions = book.editions.map(({ key, fileId }: { key: string; fileId: string | null }) => ({ key, fileId }));
	const saved = await admin.call('PUT', '/api/settings/book', { ...book, upi, editions, ...changes });
	expect(saved.statusCode, saved.body).toBe(200);
}

// Each step starts where the one before it ended.
const pdf = () => makePdfFile(deps, 'book', { name: `book-${Date.now()}.pdf` });
let fileId = '';
const states: ReadonlyArray<[key: StepKey, when: string, act: () => Promise<unknown>, expected: unknown[]]> = [
	[
		'book',
		'only a QR code was uploaded',
		() => postFile(admin, '/api/settings/qr', 'qr.png', smallPng),
		['missing', 'not-saved', null],
	],
	['payment', 'a QR code was uploaded', async () => {}, done],
	[
		'payment',
		'the QR code is no image',
		() => postFile(admin, '/api/settings/qr', 'qr.txt', Buffer.from('no')),
		['missing', 'no-payment', null],
	],
	['book', 'the defaults were saved in the Book Dashboard', () => saveBookWith({}), done],
	[
		'payment',
		'the bank details are incomplete',
		() => saveBookWith({ bank: { ...emptyBank, name: 'Bank', accountNumber: '1' } }),
		['missing', 'half-bank', null],
	],
	[
		'payment',
		'account number and IFSC are saved',
		() => saveBookWith({ bank: { ...emptyBank, accountNumber: '1', ifsc: 'BANK0000001' } }),
		done,
	],
	[
		'payment',
		'only a UPI ID is saved',
		() => saveBookWith({ bank: emptyBank, upi: { id: 'shop@bank', name: '' } }),
		done,
	],
	['payment', 'nothing is saved', () => saveBookWith({ upi: emptyUpi }), ['missing', 'no-payment', null]],
	[
		'edition',
		'a PDF is uploaded but not assigned',
		async () => {
			fileId = await pdf();
		},
		['missing', 'not-assigned', null],
	],
	['edition', 'the PDF is assigned', () => saveBookWith({ editions: [{ key: 'part-2-hi', fileId }] }), done],
	[
		'edition',
		'its file is in the trash',
		() => admin.call('DELETE', `/api/nodes/${fileId}`),
		['missing', 'no-file', null],
	],
	[
		'edition',
		'another file is assigned',
		async () => saveBook(admin, { editions: [{ key: 'part-1-en', fileId: await pdf() }] }),
		done,
	],
	[
		'storefront',
		'the default is kept',
		() => admin.call('PUT', '/api/first-steps', { isDefaultContentKept: true }),
		done,
	],
	[
		'storefront',
		'that is taken back',
		() => admin.call('PUT', '/api/first-steps', { isDefaultContentKept: false }),
		['missing', 'default-content', null],
	],
	[
		'storefront',
		'texts are only in the draft',
		() => saveField(admin, 'legal.privacy', { en: 'We keep your address.', hi: 'हम आपका पता रखते हैं।' }),
		['missing', 'default-content', null],
	],
	['storefront', 'they are published', () => publish(admin), done],
	[
		'backup',
		'a backup was made',
		() => recordBackup(deps, { finishedAt: '2026-11-20T03:00:00.000Z', files: { count: 1, sizeBytes: 2, faults: [] } }),
		['done', null, '2026-11-20T03:00:00.000Z'],
	],
];

test.each(states)('the step %s, when %s', async (key, _when, act, expected) => {
	const result = (await act()) as { statusCode?: number } | undefined;
	if (result?.statusCode !== undefined) expect(result.statusCode).toBe(200);
	expect(await stepOf(key)).toEqual(expected);
});

test('a file that cannot be watermarked is a missing edition, with the reason', async () => {
	const { editions } = (await admin.call('GET', '/api/settings/book')).json();
	const edition = editions.find((row: { fileId: string | null }) => row.fileId !== null);
	const blob = (await getRow(deps, 'nodes', { id: edition.fileId })).blob_id ?? '';
	const { id: user_id } = await makeSignedInUser(testApp, 'reader@example.com');
	const copy = {
		user_id,
		edition: edition.key,
		state: 'failed',
		failure: 'locked',
		wanted_source_id: blob,
		wanted_watermark: '',
		updated_at: '2026-11-20T03:00:00.000Z',
	};
	await deps.db
		.insertInto('watermarked_copies')
		.values(copy as never)
		.execute();
	expect(await stepOf('edition')).toEqual(['missing', 'unusable', expect.stringMatching(/password|locked/iu)]);
	await deps.db.deleteFrom('watermarked_copies').execute();
});

/** Opens an installation with these settings, and closes it after the test. */
async function openOther(env: Record<string, string>): Promise<{ other: TestApp; owner: HttpClient }> {
	const other = await createTestApp(env);
	onTestFinished(() => other.close());
	return { other, owner: (await makeSignedInUser(other, 'owner@example.com', 'admin')).client };
}

test('the address is done with https', async () => {
	const { owner } = await openOther({ PUBLIC_URL: 'https://shop.example' });
	expect(await stepOf('address', owner)).toEqual(['done', null, 'https://shop.example']);
});

test('the mail step follows the last test email with the current settings', async () => {
	const { other, owner } = await openOther({ SMTP_URL: smtp.url });
	const to = 'desk@example.com';
	const sendTest = async () => (await owner.call('POST', '/api/outbox/test', { to })).json();
	const sent = ['done', null, 'Dadi Ki Rasoi <folio@localhost>'];
	await saveField(owner, 'wordmark', { en: 'Dadi Ki Rasoi', hi: 'दादी की रसोई' });
	await publish(owner);
	await owner.call('POST', '/api/password/request-reset', { email: 'owner@example.com' });
	await other.runDueWork();
	expect(await stepOf('mail', owner)).toEqual(['missing', 'untested', null]);
	smtp.refuseWith(550);
	const { error } = await sendTest();
	expect(await stepOf('mail', owner)).toEqual(['missing', 'refused', error]);
	expect(error).toContain('550');
	smtp.refuseWith(null);
	other.clock.advance(1);
	expect(await sendTest()).toMatchObject({ result: 'sent', to });
	expect(await stepOf('mail', owner)).toEqual(sent);
	const entries = await listAuditEntries(other, 'test-mail', 'test-mail-sent');
	expect(entries.map(({ detail }) => JSON.parse(detail))).toEqual([
		{ email: to, result: 'refused', reason: error },
		{ email: to, result: 'sent', reason: null },
	]);
	const { config } = other.deps;
	for (const changed of [{ SMTP_URL: 'smtp://127.0.0.1:9' }, { MAIL_FROM: 'shop@example.com' }]) {
		const before = { MAIL_FROM: undefined, ...config };
		Object.assign(config, changed);
		expect(await stepOf('mail', owner)).toEqual(['missing', 'untested', null]);
		Object.assign(config, before);
	}
	expect(await stepOf('mail', owner)).toEqual(sent);
});

test('the login is missing until the first owner has an email and a password of their own', async () => {
	const { other } = await openOther({});
	await other.deps.db.deleteFrom('users').execute();
	const { email = '', password = '' } = (await ensureInitialAdmin(other.deps)) ?? {};
	const client = createHttpClient(other.app);
	await client.signIn(email, password ?? '');
	const missing = (value: string) => ['missing', 'first-login', value];
	expect(await stepOf('login', client)).toEqual(missing('owner@folio.local'));
	await client.call('POST', '/api/email/change', { email: 'me@example.com', currentPassword: password });
	expect(await stepOf('login', client)).toEqual(missing('me@example.com'));
	await client.call('POST', '/api/password/change', { password: 'my own words', currentPassword: password });
	expect(await stepOf('login', client)).toEqual(['done', null, 'me@example.com']);
});

test('a test email without a mail server does not complete the step', async () => {
	await admin.call('POST', '/api/outbox/test', { to: 'desk@example.com' });
	expect(await stepOf('mail')).toEqual(['missing', 'no-server', null]);
});

test('is dismissed for all admins until one of them shows it again, with an audit entry each', async () => {
	const { client: second } = await makeSignedInUser(testApp, 'second@example.com', 'admin');
	for (const isDismissed of [true, false]) {
		testApp.clock.advance(1);
		await admin.call('PUT', '/api/first-steps', { isDismissed });
		expect((await second.call('GET', '/api/first-steps')).json()).toMatchObject({ isDismissed });
	}
	expect((await stepOf('storefront'))[0]).toBe('done');
	const entries = await listAuditEntries(testApp, 'first-steps', 'first-steps-changed');
	expect(entries.slice(-2).map(({ detail }) => JSON.parse(detail).isDismissed)).toEqual([true, false]);
});
