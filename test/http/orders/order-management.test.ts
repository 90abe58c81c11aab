import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { listAuditEntries } from '../../support/app/test-app.ts';
import { testPassword } from '../../support/app/users.ts';
import { createOrderMaker } from '../../support/fixtures/checkout.ts';
import { proofBytes } from '../../support/fixtures/orders.ts';

const { world, admin } = await openTestApp();
const buy = createOrderMaker(world, 'buyer');

interface Listed {
	id: string;
	email: string;
	version: number;
	[field: string]: unknown;
}
const list = async (query = ''): Promise<{ items: Listed[]; nextCursor: string | null; total: number }> =>
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
	test('has the specified fields, and the day in the business time zone', async () => {
		world.clock.advance((24 * 3600 * 1000 - (world.clock.now().getTime() % (24 * 3600 * 1000))) / 1000 + 19 * 3600);
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
			createdAt: world.clock.now().toISOString(),
			// 19:01 UTC is half past midnight in Kolkata: the next day there.
			orderDate: new Date(world.clock.now().getTime() + 5.5 * 3600 * 1000).toISOString().slice(0, 10),
			version: 1,
			oddFields: ['phone', 'upiId'],
			note: null,
			isProofWanted: false,
			repeats: [],
		});
		expect(order?.orderDate).not.toBe(String(order?.createdAt).slice(0, 10));
	});

	test('shows an order without a price at the current price', async () => {
		const { id } = await buy({ pricePaise: null });
		expect(await find(id)).toMatchObject({ price: null, totalPrice: 499 });
		const settings = (await admin.call('GET', '/api/settings/book')).json();
		await admin.call('PUT', '/api/settings/book', { ...settings, discountedPrice: 0.1, editions: [] });
		expect(await find(id)).toMatchObject({ totalPrice: 0.1 });
		await admin.call('PUT', '/api/settings/book', { ...settings, editions: [], version: settings.version + 1 });
	});

	test.each([
		'+91 98230-55512',
		'098230 55512',
		'9823055512',
		'+44 20 7946 0958',
		'९८२३० ५५५१२',
		'＋91 ９８२３０５५५१２',
	])('has no warning for the phone number %s', async (phone) => {
		const { id } = await buy({ phone });
		expect(await find(id)).toMatchObject({ phone, oddFields: [] });
	});

	test('is searched by name or email in any case and filtered by status, but not searched by UPI ID', async () => {
		const complete = await buy({ name: 'Zubin 50%', email: 'zubin@example.com', status: 'Complete' });
		const absent = await buy({ name: 'ज़ुबिन', email: 'other-zubin@example.com', status: null });
		const ids = async (query: string) => (await list(query)).items.map(({ id }) => id);
		expect(await ids('?search=ZUBIN')).toEqual([absent.id, complete.id]);
		expect(await ids('?search=zubin&status=Complete')).toEqual([complete.id]);
		expect(await ids('?search=zubin&status=Pending')).toEqual([absent.id]);
		expect(await ids(`?search=${encodeURIComponent('0%')}`)).toEqual([complete.id]);
		expect(await ids(`?search=${encodeURIComponent('ज़ुबिन'.normalize('NFD'))}`)).toEqual([absent.id]);
		expect(await list('?search=nobody-like-this')).toEqual({ items: [], nextCursor: null, total: 0, isMore: false });
		// The UPI ID is encrypted and therefore not searched.
		expect(await ids('?search=asha@examplebank')).toEqual([]);
	});

	test('has the same orders in pages of any size, the newest first', async () => {
		const whole = (await list('?limit=1000')).items;
		const times = whole.map(({ createdAt }) => createdAt);
		expect(times).toEqual(times.toSorted().toReversed());
		for (const limit of [1, 4]) {
			const ids: string[] = [];
			for (let cursor: string | null = ''; cursor !== null; ) {
				const page = await list(`?limit=${limit}&cursor=${encodeURIComponent(cursor)}`);
				expect(page.total).toBe(whole.length);
				ids.push(...page.items.map(({ id }) => id));
				cursor = page.nextCursor;
			}
			expect(ids).toEqual(whole.map(({ id }) => id));
		}
	});

	test.each(['limit=0', 'limit=1001', 'status=Paid', 'cursor=x', `search=${'x'.repeat(limits.searchMaxLength + 1)}`])(
		'is refused with the query %s',
		async (query) => {
			expect((await admin.call('GET', `/api/orders?${query}`)).statusCode).toBe(422);
		},
	);
});

describe('PUT /api/orders/:id', () => {
	test('stores the edited fields, but not price, time and code, and writes an audit entry', async () => {
		const { id, email } = await buy();
		const before = await find(id);
		const changes = { phone: '<b>1</b>', upiId: '=1+1', status: 'Complete' };
		const ignored = { price: 1, createdAt: 'x', code: 'x', totalPrice: 0 };
		const answer = (await update(id, edited({ name: '  नया नाम ', email, ...changes, ...ignored }))).json();
		const oddFields = ['phone', 'upiId'];
		expect(answer).toEqual({ ...before, name: 'नया नाम', ...changes, version: 2, oddFields });
		expect(await find(id)).toEqual(answer);
		const [entry] = await listAuditEntries(world, id, 'order-updated');
		expect(JSON.parse(entry?.detail ?? '')).toMatchObject({ from: 'Pending', to: 'Complete' });
	});

	test('changes the email of the order only, and returns that of the account', async () => {
		const { id, email } = await buy();
		const order = await find(id);
		const answer = (await update(id, { ...order, email: 'elsewhere@example.com' })).json();
		expect(answer).toMatchObject({ email: 'elsewhere@example.com', accountEmail: email });
	});

	test('refuses a new invalid email at its field, but keeps an invalid one that is stored already', async () => {
		const { id, email } = await buy({ name: 'Meera' });
		const refused = await update(id, edited({ email: 'not an email' }));
		expect([refused.statusCode, Object.keys(refused.json().fields)]).toEqual([422, ['email']]);
		expect(await find(id)).toMatchObject({ email, version: 1 });
		await world.deps.db.updateTable('orders').set({ email: 'from a table' }).where('id', '=', id).execute();
		expect((await update(id, edited({ email: 'from a table' }))).statusCode).toBe(200);
	});

	test('returns ORDER_STALE to one of two admins who save at the same time, and stores the other change', async () => {
		const { id } = await buy();
		const answers = await Promise.all([update(id, edited({ name: 'First' })), update(id, edited({ name: 'Second' }))]);
		expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
		const won = answers.find(({ statusCode }) => statusCode === 200)?.json();
		expect(await find(id)).toMatchObject({ name: won.name, version: 2 });
		expect(answers.find(({ statusCode }) => statusCode === 409)?.json()).toMatchObject({ code: 'ORDER_STALE' });
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
	])('refuses %s = %j with an error at the field', async (field, value) => {
		const { id } = await buy();
		const answer = await update(id, edited({ [field]: value }));
		expect(answer.statusCode).toBe(422);
		expect(Object.keys(answer.json().fields)).toEqual([field]);
		expect(await find(id)).toMatchObject({ version: 1 });
	});

	test.each(['क'.repeat(10_000), '😀'.repeat(5_000), '<img src=x onerror=alert(1)>', "'; drop table orders --"])(
		'stores a name of %.12s… as text',
		async (name) => {
			const { id } = await buy();
			expect((await update(id, edited({ name }))).json().name).toBe(name);
			expect(await find(id)).toMatchObject({ name });
		},
	);

	test('returns ORDER_GONE for an order that does not exist', async () => {
		const answer = await update('AAAAAAAAAAAAAAAAAAAAAA', edited());
		expect(answer.json()).toMatchObject({ status: 404, code: 'ORDER_GONE' });
	});
});

describe('DELETE /api/orders/:id', () => {
	test('deletes an order with its proofs for good and closes the book, but keeps the account', async () => {
		const { id, email, proofId, userId } = await buy({ status: 'Complete' });
		const buyer = createHttpClient(world.app);
		await buyer.signIn(email, testPassword);
		expect((await buyer.call('GET', '/api/shelf')).json().access).toBe('open');
		expect((await admin.call('GET', `/api/proofs/${proofId}/image`)).rawPayload).toEqual(proofBytes);
		expect((await admin.call('DELETE', `/api/orders/${id}`)).json()).toEqual({});
		expect((await buyer.call('GET', '/api/shelf')).json().access).toBe('none');
		expect((await admin.call('GET', `/api/proofs/${proofId}/image`)).statusCode).toBe(404);
		expect(await world.deps.db.selectFrom('proofs').select('id').where('order_id', '=', id).execute()).toEqual([]);
		expect(await world.deps.db.selectFrom('users').select('id').where('id', '=', userId).execute()).toHaveLength(1);
		expect((await admin.call('DELETE', `/api/orders/${id}`)).json()).toMatchObject({ status: 404, code: 'ORDER_GONE' });
		expect((await admin.call('GET', `/api/orders/${id}/proofs`)).statusCode).toBe(404);
	});
});
