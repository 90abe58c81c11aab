import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkIntegrity } from '#server/features/maintenance/tasks/tasks.service.ts';
import { dumpDatabase } from '../../support/app/database-dump.ts';
import { findRows, getRow, insertRows } from '../../support/app/database-rows.ts';
import { createHttpClient, type HttpClient, multipart } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { listStoredKeys } from '../../support/app/stored-objects.ts';
import { listAuditEntries, listMailsTo } from '../../support/app/test-app.ts';
import { makeUser } from '../../support/app/users.ts';
import { makePicture } from '../../support/documents/images.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { sendText } from '../../support/fixtures/chat.ts';
import { pngFile, sendCheckoutForm } from '../../support/fixtures/checkout.ts';
import { makePdfFile } from '../../support/fixtures/files.ts';
import { changeOrder, makeBuyer } from '../../support/fixtures/orders.ts';
import { plainStatement, sendStatement } from '../../support/fixtures/statements.ts';

const { testApp, deps, admin } = await openTestApp({ RATE_LIMIT_FACTOR: '1000' }, 'owner@example.com');
await saveBook(admin, { editions: [{ key: 'part-1-en', fileId: await makePdfFile(deps, 'book') }] });
await makeBuyer(testApp, 'buyer@example.com');
await makeBuyer(testApp, 'waits@example.com', { status: 'Pending' });
await testApp.runDueWork();

const email = 'try@example.com';
const current = async () => (await admin.call('GET', '/api/test-purchase')).json().purchase;
const start = (address = email) => admin.call('POST', '/api/test-purchase', { email: address });
const remove = () => admin.call('DELETE', '/api/test-purchase');

async function started() {
	const response = await start();
	expect(response.statusCode, response.body).toBe(200);
	onTestFinished(async () => {
		await remove();
		await testApp.runDueWork();
	});
	return response.json().purchase;
}

async function complete() {
	const { orderId: id, version } = await current();
	const answer = await admin.call('POST', '/api/orders-complete', { orders: [{ id, version }] });
	expect(answer.json().items).toEqual([{ id, outcome: 'done' }]);
}

/** The password and the path of the order page in the login mail. */
async function readLoginMail() {
	const mail = (await listMailsTo(testApp, email)).findLast(({ subject }) => /login/iu.test(subject ?? ''));
	return {
		password: /Password: (\S+)/u.exec(mail?.text ?? '')?.[1] ?? '',
		orderPath: /\/order\/[\w-]+/u.exec(mail?.text ?? '')?.[0] ?? '',
	};
}

async function signInAsBuyer() {
	const client = createHttpClient(testApp.app, '198.51.100.77');
	await client.signIn(email, (await readLoginMail()).password);
	return client;
}

async function read(client: HttpClient) {
	const place = { page: 1, pageCount: 1, offset: 0.5, chapter: null, readAt: testApp.clock.now().toISOString() };
	const saved = await client.call('PUT', '/api/reading/part-1-en/place', place);
	expect(saved.statusCode, saved.body).toBe(200);
}

async function sendProof(utr: string) {
	const { orderPath } = await readLoginMail();
	const { body, headers } = multipart({ utr }, { ...pngFile, bytes: await makePicture() });
	return createHttpClient(testApp.app, '198.51.100.78').call('POST', `${orderPath}/proof`, body, headers);
}

/** Every figure that an admin or the landing page shows. The lists of orders contain the test order, but do not count it. */
const figureUrls = [
	...['', '?limit=1', '?status=Pending', '?search=e'].map((query) => `/api/orders${query}`),
	...['/api/orders-summary', '/api/orders-days', '/api/orders.csv', '/api/orders.csv?status=Pending'],
	...['/api/visits-summary', '/api/reading-stats', '/api/reading-stats/people?edition=part-1-en'],
	...['/api/groups', '/api/groups/book-owners/members'],
];
const readFigures = () =>
	Promise.all(
		figureUrls.map(async (url) => {
			const answer = await admin.call('GET', url);
			return [url, /orders(?:\?|$)/u.test(url) ? answer.json().total : answer.body];
		}),
	);

/** The index tables of SQLite's full-text search are rewritten by each change, and the audit list only grows. */
const changesAnyway = /^(?:audit|.*_search_(?:data|idx|docsize|config|content|rows|pieces))$/u;

async function dumpTables() {
	await testApp.runDueWork();
	const tables = Object.entries(await dumpDatabase(deps)).filter(([name]) => !changesAnyway.test(name));
	return {
		...Object.fromEntries(tables),
		// Without the time of the last request, which changes with every request.
		sessions: (await findRows(deps, 'sessions')).map(({ id }) => id).sort(),
		stored: await listStoredKeys(deps),
		mailFiles: (await readdir(join(deps.config.DATA_DIR, 'mail'))).sort(),
	};
}

describe('a test purchase', () => {
	test('is an order with a proof and a login mail like any other, but marked and without a mail to the owner', async () => {
		const purchase = await started();
		expect(purchase).toMatchObject({ email, status: 'Pending', reading: 'locked', mails: [{ state: 'waiting' }] });
		const { items } = (await admin.call('GET', `/api/orders?search=${purchase.code}`)).json();
		expect(items).toMatchObject([{ id: purchase.orderId, isTest: true, proofCount: 1, oddFields: [], repeats: [] }]);
		const image = await admin.call('GET', items[0].screenshot);
		expect(image.headers['content-type']).toBe('image/webp');
		const toOwner = (await listMailsTo(testApp, 'owner@example.com')).map(({ text }) => text);
		expect(toOwner.join()).not.toContain(purchase.code);
		expect(await listMailsTo(testApp, email)).toHaveLength(1);
		expect((await current()).mails).toMatchObject([{ kind: 'credentials', state: 'file', error: null }]);
		const { orderPath } = await readLoginMail();
		for (const lang of ['en', 'hi']) {
			const page = await createHttpClient(testApp.app).call('GET', `${orderPath}?lang=${lang}`);
			expect(page.body).toContain(lang === 'en' ? 'Test order.' : 'टेस्ट ऑर्डर।');
			expect(page.body).not.toContain('/address"');
		}
	});

	test('lets its buyer read the book once it is Complete', async () => {
		await started();
		await testApp.runDueWork();
		await complete();
		expect(await current()).toMatchObject({ status: 'Complete', reading: 'making' });
		const client = await signInAsBuyer();
		expect(await current()).toMatchObject({ reading: 'ready' });
		expect((await client.call('GET', '/api/editions/part-1-en/content')).statusCode).toBe(200);
		expect((await client.call('GET', `${(await readLoginMail()).orderPath}/receipt`)).body).toContain('Test order.');
	});

	test('shows each mail to its buyer that was saved as a file, and no other mail', async () => {
		const { userId } = await started();
		await testApp.runDueWork();
		const [mail] = (await current()).mails;
		const file = await admin.call('GET', `/api/test-purchase/mails/${mail.id}`);
		expect(file.headers).toMatchObject({
			'content-type': 'message/rfc822',
			'content-disposition': 'attachment; filename="mail.eml"',
		});
		expect(file.body).toContain(`To: ${email}`);
		await sendCheckoutForm(createHttpClient(testApp.app), { email: 'other@example.com' });
		await testApp.runDueWork();
		const other = await getRow(deps, 'outbox', { recipient: 'other@example.com' });
		expect((await admin.call('GET', `/api/test-purchase/mails/${other.id}`)).statusCode).toBe(404);
		await remove();
		expect((await admin.call('GET', `/api/test-purchase/mails/${mail.id}`)).statusCode).toBe(404);
		expect(await findRows(deps, 'users', { id: userId })).toEqual([]);
	});

	test('counts in no figure, Pending or Complete, and is in no export', async () => {
		const before = await readFigures();
		const { code } = await started();
		await testApp.runDueWork();
		expect(await readFigures()).toEqual(before);
		await complete();
		await read(await signInAsBuyer());
		expect(await readFigures()).toEqual(before);
		expect((await admin.call('GET', '/api/orders.csv')).body).not.toContain(code);
		expect(await findRows(deps, 'rate_limits')).toEqual(
			expect.not.arrayContaining([expect.objectContaining({ subject: expect.stringContaining(email) })]),
		);
	});

	test('uses up no payment reference, and is not compared with other proofs or a statement', async () => {
		const { orderId, code } = await started();
		const utr = '512345678901';
		expect((await sendProof(utr)).statusCode).toBe(303);
		const statement = async () => {
			const credits = [
				[`UPI/${utr}/paid`, '499.00'],
				['UPI/998877665544/TEST BUYER/test@example', '499.00'],
			] as const;
			const { lines } = (await sendStatement(admin, plainStatement(credits))).json();
			return lines.map(({ kind, orderIds }: { kind: string; orderIds: string[] }) => ({ kind, orderIds }));
		};
		expect(await statement()).toEqual(Array(2).fill({ kind: 'missing', orderIds: [] }));
		const { version } = await current();
		const paid = { id: orderId, version, reference: utr, references: [utr] };
		await admin.call('POST', '/api/orders-complete', { orders: [paid] });
		expect(await findRows(deps, 'used_references', { order_code: code })).toEqual([]);
		const { order } = await makeBuyer(testApp, 'same-reference@example.com', { utr, status: 'Pending' });
		const real = (await admin.call('GET', `/api/orders/${order.id}/row`)).json();
		expect(real).toMatchObject({ repeats: [] });
		const proofs = await findRows(deps, 'proofs', { order_id: orderId });
		expect(proofs).toHaveLength(2);
		for (const proof of proofs) expect(proof).toMatchObject({ utr_key: null, picture_key: null });
	});

	test.each([
		['an account', 'buyer@example.com'],
		['an account, in other letters', ' BUYER@example.com'],
		['an imported login', 'imported@example.com'],
		['the account of an admin', 'owner@example.com'],
	])('is refused for the address of %s, beside the field', async (_what, address) => {
		if (address.startsWith('imported')) {
			const login = { email: address, email_key: address, verifier: 'sealed', created_at: '2026-01-01T00:00:00.000Z' };
			await insertRows(deps, 'imported_logins', [login]);
			onTestFinished(async () => {
				await deps.db.deleteFrom('imported_logins').execute();
			});
		}
		const before = await dumpTables();
		const refused = await start(address);
		expect(refused.statusCode).toBe(422);
		const message = 'This address already has an account. Enter an address without one.';
		expect(refused.json()).toMatchObject({ code: 'TEST_BUYER_KNOWN', fields: { email: message } });
		expect(await dumpTables()).toEqual(before);
		expect(await current()).toBeNull();
	});

	test.each(['', 'no address'])('is refused for the address %j, beside the field', async (address) => {
		expect((await start(address)).json().fields).toHaveProperty('email');
	});

	test('is refused while another exists, and two simultaneous requests create only one', async () => {
		const answers = await Promise.all([start('one@example.com'), start('two@example.com')]);
		expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
		expect(await findRows(deps, 'orders', { is_test: 1 })).toHaveLength(1);
		expect((await start('three@example.com')).json()).toMatchObject({ code: 'TEST_PURCHASE_EXISTS' });
		await remove();
		await started();
	});

	test('stays with its account: the buyer cannot move it, and a purchase of its buyer is another order', async () => {
		const { orderId, userId } = await started();
		const paths = (await sendCheckoutForm(createHttpClient(testApp.app), { email })).json().statusUrl;
		const orders = await findRows(deps, 'orders', { user_id: userId });
		expect(orders.map(({ id, is_test }) => [id === orderId, is_test]).sort()).toEqual([
			[false, 0],
			[true, 1],
		]);
		expect((await admin.call('GET', paths)).body).not.toContain('Test order.');
		const links = await findRows(deps, 'order_links', { order_id: orderId });
		const own = links.find((link) => link.email !== null);
		const token = 'x'.repeat(43);
		await deps.db
			.updateTable('order_links')
			.set({ token_hash: deps.secrets.hashToken(token) })
			.where('id', '=', own?.id ?? '')
			.execute();
		const { body, headers } = multipart({ email: 'elsewhere@example.com' });
		const moved = await admin.call('POST', `/order/${token}/address`, body, headers);
		expect(moved.statusCode).toBe(409);
		expect(await getRow(deps, 'orders', { id: orderId })).toMatchObject({ user_id: userId, is_test: 1 });
		// The account now belongs to a buyer, so only the test order is removed.
		await remove();
		expect(await findRows(deps, 'users', { id: userId })).toHaveLength(1);
		expect(await findRows(deps, 'orders', { user_id: userId })).toMatchObject([{ is_test: 0 }]);
		await admin.call('POST', '/delete-user-all', { uid: userId });
	});
});

describe('removing a test purchase', () => {
	const useIt = async () => {
		await complete();
		const client = await signInAsBuyer();
		await read(client);
		await sendText(client, (await current()).userId, 'hello');
		testApp.clock.advance(3600);
		await testApp.runDueWork();
	};
	const changeUser = async (what: string, body: object) => {
		const answer = await admin.call('POST', `/api/users/${(await current()).userId}/${what}`, body);
		expect(answer.statusCode).toBe(200);
	};
	const reopenIt = async () => {
		await complete();
		await changeOrder(admin, (await current()).orderId, { status: 'Pending' });
	};
	const states: ReadonlyArray<[name: string, prepare: () => Promise<unknown>]> = [
		['before its mail is sent', async () => {}],
		['after its mail was saved', () => testApp.runDueWork()],
		['with further proofs', () => sendProof('512345678903')],
		['Complete, read and with messages', useIt],
		['set back to Pending', reopenIt],
		['with a deactivated account', () => changeUser('active', { active: false })],
		['with an account that was made an admin', () => changeUser('role', { role: 'admin' })],
	];
	const ways: ReadonlyArray<[name: string, act: () => Promise<{ statusCode: number }>]> = [
		['Remove test purchase', remove],
		['Delete of the order', async () => admin.call('DELETE', `/api/orders/${(await current()).orderId}`)],
		['Delete User', async () => admin.call('POST', '/delete-user-all', { uid: (await current()).userId })],
	];

	test.each(states.flatMap(([state, prepare]) => ways.map(([way, act]) => [way, state, act, prepare] as const)))(
		'by %s leaves every table and the stored files as before: %s',
		async (_way, _state, act, prepare) => {
			const before = await dumpTables();
			await started();
			await prepare();
			expect((await act()).statusCode).toBe(200);
			expect(await current()).toBeNull();
			expect(await dumpTables()).toEqual(before);
			expect((await checkIntegrity(deps)).problems).toEqual([]);
		},
	);

	test.each(['with its account', 'without its account, which has another order'])(
		'twice at once, %s, removes it once',
		async (what) => {
			const { orderId, userId } = await started();
			const hasOther = what.startsWith('without');
			if (hasOther) await sendCheckoutForm(createHttpClient(testApp.app), { email });
			const answers = await Promise.all([remove(), remove(), remove()]);
			expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
			expect(await findRows(deps, 'orders', { id: orderId })).toEqual([]);
			expect(await findRows(deps, 'users', { id: userId })).toHaveLength(hasOther ? 1 : 0);
			const [subject, action] = hasOther ? [orderId, 'order-deleted'] : [userId, 'user-deleted'];
			expect(await listAuditEntries(testApp, subject, action)).toHaveLength(1);
			if (hasOther) await admin.call('POST', '/delete-user-all', { uid: userId });
		},
	);

	test('keeps the mails that the owner gets at the same address', async () => {
		const settings = { isOrderMailed: true, isChatMailed: false, orderMailTo: email, seller: '', version: 0 };
		const saved = await admin.call('PUT', '/api/settings/mail', settings);
		await started();
		await sendCheckoutForm(createHttpClient(testApp.app), { email: 'real@example.com' });
		await testApp.runDueWork();
		expect((await current()).mails.map(({ kind }: { kind: string }) => kind)).toEqual(['credentials']);
		await remove();
		await testApp.runDueWork();
		expect(await findRows(deps, 'outbox', { recipient: email })).toMatchObject([{ kind: 'new-order' }]);
		await admin.call('PUT', '/api/settings/mail', { ...settings, orderMailTo: '', version: saved.json().version });
	});

	test('does not happen when another account is deleted', async () => {
		const { orderId } = await started();
		const uid = await makeUser(deps, 'bystander@example.com');
		expect((await admin.call('POST', '/delete-user-all', { uid })).statusCode).toBe(200);
		expect(await current()).toMatchObject({ orderId });
	});

	test('has no effect without one', async () => {
		const before = await dumpTables();
		expect((await remove()).statusCode).toBe(200);
		expect(await dumpTables()).toEqual(before);
	});
});
