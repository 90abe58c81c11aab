import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import type { Order } from '#contract/orders/orders.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { readPages } from '../../support/app/lists.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { listAuditEntries } from '../../support/app/test-app.ts';
import { testPassword } from '../../support/app/users.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { createOrderMaker } from '../../support/fixtures/checkout.ts';
import { proofBytes } from '../../support/fixtures/orders.ts';

const { testApp, admin } = await openTestApp();
const buy = createOrderMaker(testApp, 'buyer');

const list = async (query = ''): Promise<{ items: Order[]; nextCursor: string | null; total: number }> =>
	(await admin.call('GET', `/api/orders${query}`)).json();
const summary = async () => (await admin.call('GET', '/api/orders-summary')).json();
const find = async (id: string) => (await list('?limit=1000')).items.find((order) => order.id === id);
const row = { name: 'Asha Rao', email: 'asha@example.com', phone: '98230 55512', upiId: 'asha@bank' };
const edited = (changes: Record<string, unknown> = {}) => ({ ...row, status: 'Pending', version: 1, ...changes });
const update = (id: string, body: unknown) => admin.call('PUT', `/api/orders/${id}`, body);

test('returns no orders and zero sums before the first sale', async () => {
	expect(await list()).toEqual({ items: [], nextCursor: null, total: 0, isMore: false });
	expect(await summary()).toEqual({ total: 0, pending: 0, complete: 0, totalSales: 0, verifiedSales: 0 });
});

describe('the list of orders', () => {
	test('has the specified fields, with the day in the business time zone', async () => {
		testApp.clock.advance((24 * 3600 * 1000 - (testApp.clock.now().getTime() % (24 * 3600 * 1000))) / 1000 + 19 * 3600);
		const { id, email, proofId } = await buy({ name: 'Meera', phone: 'none', upiId: 'odd' });
		const order = await find(id);
		expect(order).toEqual({
			id,
			code: expect.stringMatching(/^BYE-[2-9A-HJ-NP-TV-Z]{4}-[2-9A-HJ-NP-TV-Z]{2}$/u),
			name: 'Meera',
			email,
			accountEmail: email,
			phone: 'none',
			upiId: 'odd',
			screenshot: `/api/proofs/${proofId}/image`,
			proofCount: 1,
			status: 'Pending',
			price: 499,
			totalPrice: 499,
			createdAt: testApp.clock.now().toISOString(),
			// 19:01 UTC is 00:31 of the next day in Kolkata.
			orderDate: new Date(testApp.clock.now().getTime() + 5.5 * 3600 * 1000).toISOString().slice(0, 10),
			version: 1,
			oddFields: ['phone', 'upiId'],
			note: null,
			isProofWanted: false,
			isTest: false,
			repeats: [],
		});
		expect(order?.orderDate).not.toBe(order?.createdAt.slice(0, 10));
	});

	test('has the current price for an order without a price', async () => {
		const { id } = await buy({ pricePaise: null });
		expect(await find(id)).toMatchObject({ price: null, totalPrice: 499 });
		await saveBook(admin, { discountedPrice: 0.1 });
		expect(await find(id)).toMatchObject({ totalPrice: 0.1 });
		await saveBook(admin, { discountedPrice: 499 });
	});

	test.each([
		['phone', '+91 98230-55512', []],
		['phone', '098230 55512', []],
		['phone', '9823055512', []],
		['phone', '+44 20 7946 0958', []],
		['phone', '९८२३० ५५५१२', []],
		['phone', '＋91 ９８२３０５५५१２', []],
		['name', 'Asha Rao', []],
		['name', 'श्री विद्यार्थी', []],
		['name', "Mary O'Neil-D’Souza, Jr.", []],
		['name', '12345', ['name']],
		['name', 'bina@examplebank', ['name']],
		['name', 'http://evil.example', ['name']],
		['name', '🙂', ['name']],
		['name', 'A'.repeat(101), ['name']],
		['name', '\u3164', ['name']],
		['name', 'Asha\u3164Rao', ['name']],
	])('has a warning only for unusual values: %s %.30j', async (field, value, oddFields) => {
		const { id } = await buy({ [field]: value });
		expect(await find(id)).toMatchObject({ [field]: value, oddFields });
	});

	test('can be searched by name or email in any case and filtered by status, but not searched by UPI ID', async () => {
		const complete = await buy({ name: 'Zubin 50%', email: 'zubin@example.com', status: 'Complete' });
		const absent = await buy({ name: 'ज़ुबिन', email: 'other-zubin@example.com', status: null });
		const ids = async (query: string) => (await list(query)).items.map(({ id }) => id);
		expect(await ids('?search=ZUBIN')).toEqual([absent.id, complete.id]);
		expect(await ids('?search=zubin&status=Complete')).toEqual([complete.id]);
		expect(await ids('?search=zubin&status=Pending')).toEqual([absent.id]);
		expect(await ids(`?search=${encodeURIComponent('0%')}`)).toEqual([complete.id]);
		expect(await ids(`?search=${encodeURIComponent('ज़ुबिन'.normalize('NFD'))}`)).toEqual([absent.id]);
		expect(await list('?search=nobody-like-this')).toEqual({ items: [], nextCursor: null, total: 0, isMore: false });
		// UPI IDs are stored encrypted.
		expect(await ids('?search=asha@examplebank')).toEqual([]);
	});

	test('has the same orders in the same order with every page size, the newest first', async () => {
		const whole = (await list('?limit=1000')).items;
		const times = whole.map(({ createdAt }) => createdAt);
		expect(times).toEqual(times.toSorted().toReversed());
		for (const limit of [1, 4]) {
			const pages = await readPages<Order>(admin, `/api/orders?limit=${limit}`);
			for (const page of pages) expect(page).toMatchObject({ total: whole.length });
			expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(whole.map(({ id }) => id));
			const reversed = await readPages<Order>(admin, `/api/orders?limit=${limit}&sort=oldest`);
			const ids = reversed.flatMap(({ items }) => items.map(({ id }) => id));
			expect(ids).toEqual(whole.map(({ id }) => id).toReversed());
		}
		const { nextCursor } = await list('?limit=1');
		expect((await admin.call('GET', `/api/orders?sort=oldest&cursor=${nextCursor}`)).statusCode).toBe(422);
	});

	test.each(['limit=0', 'limit=1001', 'status=Paid', 'cursor=x', `search=${'x'.repeat(limits.searchMaxLength + 1)}`])(
		'refuses the query %s',
		async (query) => {
			expect((await admin.call('GET', `/api/orders?${query}`)).statusCode).toBe(422);
		},
	);
});

describe('PUT /api/orders/:id', () => {
	test('stores the changed fields, ignores price, time and code, and writes an audit entry', async () => {
		const { id, email } = await buy();
		const before = await find(id);
		const changes = { phone: '<b>1</b>', upiId: '=1+1', status: 'Complete' };
		const ignored = { price: 1, createdAt: 'x', code: 'x', totalPrice: 0 };
		const answer = (await update(id, edited({ name: '  नया नाम ', email, ...changes, ...ignored }))).json();
		const oddFields = ['phone', 'upiId'];
		expect(answer).toEqual({ ...before, name: 'नया नाम', ...changes, version: 2, oddFields });
		expect(await find(id)).toEqual(answer);
		const [entry] = await listAuditEntries(testApp, id, 'order-updated');
		expect(JSON.parse(entry?.detail ?? '')).toMatchObject({ from: 'Pending', to: 'Complete' });
	});

	test('changes the email of the order but not of its user, and returns both emails', async () => {
		const { id, email } = await buy();
		const order = await find(id);
		const answer = (await update(id, { ...order, email: 'elsewhere@example.com' })).json();
		expect(answer).toMatchObject({ email: 'elsewhere@example.com', accountEmail: email });
	});

	test('refuses a new invalid email with a field error, but accepts an invalid email that is already stored', async () => {
		const { id, email } = await buy({ name: 'Meera' });
		const refused = await update(id, edited({ email: 'not an email' }));
		expect([refused.statusCode, Object.keys(refused.json().fields)]).toEqual([422, ['email']]);
		expect(await find(id)).toMatchObject({ email, version: 1 });
		await testApp.deps.db.updateTable('orders').set({ email: 'from a table' }).where('id', '=', id).execute();
		expect((await update(id, edited({ email: 'from a table' }))).statusCode).toBe(200);
	});

	test.each([
		['name', ''],
		['name', '   '],
		['email', ''],
		['phone', ''],
		['upiId', ''],
		['name', 'x'.repeat(10_001)],
		['phone', 'x'.repeat(10_001)],
		['name', 'a\0b'],
		['status', 'Paid'],
		['status', null],
		['version', '1'],
		['name', 5],
	])('refuses %s = %j with a field error', async (field, value) => {
		const { id } = await buy();
		const answer = await update(id, edited({ [field]: value }));
		expect(answer.statusCode).toBe(422);
		expect(Object.keys(answer.json().fields)).toEqual([field]);
		expect(await find(id)).toMatchObject({ version: 1 });
	});

	test.each(['क'.repeat(10_000), '😀'.repeat(5_000), '<img src=x onerror=alert(1)>', "'; drop table orders --"])(
		'stores the name %.12s… as text',
		async (name) => {
			const { id } = await buy();
			expect((await update(id, edited({ name }))).json().name).toBe(name);
			expect(await find(id)).toMatchObject({ name });
		},
	);
});

test('DELETE /api/orders/:id purges an order and its payment proofs and ends the book access, but keeps the user', async () => {
	const { id, email, proofId, userId } = await buy({ status: 'Complete' });
	const buyer = createHttpClient(testApp.app);
	await buyer.signIn(email, testPassword);
	expect((await buyer.call('GET', '/api/shelf')).json().access).toBe('open');
	expect((await admin.call('GET', `/api/proofs/${proofId}/image`)).rawPayload).toEqual(proofBytes);
	expect((await admin.call('DELETE', `/api/orders/${id}`)).json()).toEqual({});
	expect((await buyer.call('GET', '/api/shelf')).json().access).toBe('none');
	expect((await admin.call('GET', `/api/proofs/${proofId}/image`)).statusCode).toBe(404);
	expect(await findRows(testApp.deps, 'proofs', { order_id: id })).toEqual([]);
	expect(await findRows(testApp.deps, 'users', { id: userId })).toHaveLength(1);
	expect((await admin.call('DELETE', `/api/orders/${id}`)).json()).toMatchObject({ status: 404, code: 'ORDER_GONE' });
	expect((await admin.call('GET', `/api/orders/${id}/proofs`)).statusCode).toBe(404);
});
