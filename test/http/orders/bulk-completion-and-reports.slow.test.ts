import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import type { Order } from '#contract/orders/orders.ts';
import { listOrders, listOrdersInSteps } from '#server/features/orders/orders.queries.ts';
import { lastDays } from '#server/platform/format.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { listen, openEventStream, requireWithinASecond } from '../../support/app/event-streams.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { listAuditEntries } from '../../support/app/test-app.ts';
import { makeSignedInUser, testPassword } from '../../support/app/users.ts';
import { saveBook } from '../../support/fixtures/book.ts';
import { createOrderMaker } from '../../support/fixtures/checkout.ts';
import { makePdfFile } from '../../support/fixtures/files.ts';
import { changeOrder, disableOrderMails } from '../../support/fixtures/orders.ts';

const { testApp, admin } = await openTestApp();
await disableOrderMails(testApp.deps);
const url = await listen(testApp.app);
const buy = createOrderMaker(testApp, 'desk');

const complete = (orders: Array<{ id: string; version: number }>) =>
	admin.call('POST', '/api/orders-complete', { orders });
const summary = async () => (await admin.call('GET', '/api/orders-summary')).json();
const find = async (email: string) => (await admin.call('GET', `/api/orders?search=${email}`)).json().items[0];
const receipts = (email: string) => findRows(testApp.deps, 'outbox', { recipient: email, kind: 'receipt' });
const listStatusAuditEntries = (id: string) => listAuditEntries(testApp, id, 'order-updated');
const idsOf = (orders: Array<{ id: string }>) => orders.map(({ id }) => id);
const listExports = () => findRows(testApp.deps, 'audit', { action: 'orders-exported' });

describe('POST /api/orders-complete', () => {
	test('returns done, stale or gone for each order, and mails a receipt for each completed order', async () => {
		const [plain, stale, gone, absent] = [await buy(), await buy(), await buy(), await buy({ status: null })];
		await changeOrder(admin, stale.id, { phone: '1' });
		await admin.call('DELETE', `/api/orders/${gone.id}`);
		const answer = await complete([plain, stale, gone, absent].map(({ id }) => ({ id, version: 1 })));
		expect(answer.json().items).toEqual([
			{ id: plain.id, outcome: 'done' },
			{ id: stale.id, outcome: 'stale' },
			{ id: gone.id, outcome: 'gone' },
			{ id: absent.id, outcome: 'done' },
		]);
		expect(await find(plain.email)).toMatchObject({ status: 'Complete', version: 2 });
		expect(await find(stale.email)).toMatchObject({ status: 'Pending', phone: '1', version: 2 });
		expect(await listStatusAuditEntries(plain.id)).toMatchObject([
			{ actor_email: 'admin@example.com', detail: expect.stringContaining('"from":"Pending","to":"Complete"') },
		]);
		for (const { email } of [plain, absent]) expect(await receipts(email)).toHaveLength(1);
		expect(await receipts(stale.email)).toEqual([]);
	});

	test('completes an order once when it is requested several times, with one audit entry and one receipt', async () => {
		const { id, email } = await buy();
		await admin.call('POST', `/api/orders/${id}/note`, { note: 'Too dark', was: null, isProofWanted: true });
		const answers = await Promise.all([1, 2, 3].map(() => complete([{ id, version: 1 }])));
		for (const answer of answers) expect(answer.json()).toEqual({ items: [{ id, outcome: 'done' }] });
		expect(await find(email)).toMatchObject({ status: 'Complete', version: 2, note: null, isProofWanted: false });
		expect(await listStatusAuditEntries(id)).toHaveLength(1);
		expect(await receipts(email)).toHaveLength(1);
	});

	test.each([0, limits.ordersPerCallMax + 1])('refuses %d orders in one request', async (length) => {
		expect((await complete(Array.from({ length }, () => ({ id: 'x', version: 1 })))).statusCode).toBe(422);
	});
});

test('each change between Complete and Pending reaches an open reader within a second, and only one receipt is mailed', async () => {
	const fileId = await makePdfFile(testApp.deps, 'book', { name: 'part-1.pdf' });
	const saved = await saveBook(admin, { editions: [{ key: 'part-1-en', fileId }] });
	expect(saved.statusCode).toBe(200);
	const email = 'reader@example.com';
	const buyer = await makeSignedInUser(testApp, email);
	const { id } = await buy({ email, userId: buyer.id });
	const reader = await openEventStream(url, buyer.client.cookie());
	const bytes = async () => (await buyer.client.call('GET', '/api/editions/part-1-en/content')).statusCode;
	for (let round = 1; round <= 10; round += 1) {
		for (const status of ['Complete', 'Pending'] as const) {
			reader.events.length = 0;
			const answer = changeOrder(admin, id, { status });
			const [event, { statusCode }] = await requireWithinASecond(
				Promise.all([reader.waitFor('book-access'), answer]),
				`${status}, round ${round}`,
			);
			expect([event, statusCode]).toEqual([{ topic: 'book-access' }, 200]);
			// The watermarked copy is made only once.
			if (round === 1) await testApp.runDueWork();
			expect(await bytes()).toBe(status === 'Complete' ? 200 : 404);
		}
	}
	reader.close();
	expect(await receipts(email)).toHaveLength(1);
	expect(await listStatusAuditEntries(id)).toHaveLength(20);
});

test('an update and a deletion at the same time leave no order, and a later update returns ORDER_GONE', async () => {
	for (let round = 0; round < 5; round += 1) {
		const { id, email } = await buy();
		const { id: _, ...body } = await find(email);
		const [updated, deleted] = await Promise.all([
			admin.call('PUT', `/api/orders/${id}`, { ...body, status: 'Complete' }),
			admin.call('DELETE', `/api/orders/${id}`),
		]);
		expect(deleted.statusCode).toBe(200);
		if (updated.statusCode !== 200) {
			expect(updated.json()).toMatchObject({ status: 404, code: 'ORDER_GONE' });
			expect(updated.json().message).toMatch(/deleted/u);
		}
		expect(await find(email)).toBeUndefined();
		const late = await admin.call('PUT', `/api/orders/${id}`, body);
		expect(late.json()).toMatchObject({ status: 404, code: 'ORDER_GONE' });
	}
});

describe('GET /api/orders-summary', () => {
	test('is exact to the paisa after each change, also with orders without a price', async () => {
		const expected = async () => {
			const rows = await testApp.deps.db.selectFrom('orders').select(['status', 'price_paise']).execute();
			const today = Math.round((await admin.call('GET', '/api/book')).json().discountedPrice * 100);
			const sum = (orders: typeof rows) => orders.reduce((paise, row) => paise + (row.price_paise ?? today), 0) / 100;
			const done = rows.filter(({ status }) => status === 'Complete');
			return {
				total: rows.length,
				pending: rows.length - done.length,
				complete: done.length,
				totalSales: sum(rows),
				verifiedSales: sum(done),
			};
		};
		const prices = [null, 1, 10, 20, 49_950, 99_999_999_999, null];
		const orders = [];
		for (const [index, pricePaise] of prices.entries()) {
			orders.push(await buy({ pricePaise, status: index % 2 === 0 ? 'Complete' : null }));
			expect(await summary()).toEqual(await expected());
		}
		await saveBook(admin, { discountedPrice: 0.07 });
		expect(await summary()).toEqual(await expected());
		for (const { id, email } of orders) {
			await changeOrder(admin, id, { status: (await find(email)).status === 'Complete' ? 'Pending' : 'Complete' });
			expect(await summary()).toEqual(await expected());
		}
		for (const { id } of orders) await admin.call('DELETE', `/api/orders/${id}`);
		expect(await summary()).toEqual(await expected());
		await saveBook(admin, { discountedPrice: 499 });
	});

	test('is unchanged after a rollback, and exact after simultaneous changes', async () => {
		const before = await summary();
		const { email } = await buy();
		const rolledBack = testApp.deps.db.transaction().execute(async (tx) => {
			await tx.updateTable('orders').set({ status: 'Complete', price_paise: 7 }).execute();
			throw new Error('rolled back');
		});
		await expect(rolledBack).rejects.toThrow('rolled back');
		expect(await summary()).toMatchObject({ total: before.total + 1, complete: before.complete });
		const made = [];
		for (let number = 0; number < 8; number += 1) made.push(await buy());
		await Promise.all(made.map(({ id }) => complete([{ id, version: 1 }])));
		expect(await summary()).toMatchObject({ total: before.total + 9, complete: before.complete + 8 });
		await admin.call('DELETE', `/api/orders/${(await find(email)).id}`);
	});
});

describe('GET /api/orders-days', () => {
	const read = async (query = '') => (await admin.call('GET', `/api/orders-days${query}`)).json().items;

	test('returns the sums of all orders and of Complete orders for each business day, also for days without orders', async () => {
		// Sets the clock to three seconds before midnight in Kolkata, which is at 18:30 UTC.
		const midnight = Math.ceil(testApp.clock.now().getTime() / 86_400_000) * 86_400 + 3 * 86_400;
		testApp.clock.advance(midnight + 18.5 * 3600 - 3 - testApp.clock.now().getTime() / 1000);
		await admin.signIn('admin@example.com', testPassword);
		await buy({ pricePaise: 10, status: 'Complete' });
		await buy({ pricePaise: 20 });
		testApp.clock.advance(2);
		await buy({ pricePaise: null, status: 'Complete' });
		const items = await read('?days=4');
		expect(items).toHaveLength(4);
		const [first, second, before, today] = items;
		expect(today).toEqual({ day: expect.any(String), orders: 1, totalSales: 499, verifiedSales: 499 });
		expect(before).toMatchObject({ orders: 2, totalSales: 0.3, verifiedSales: 0.1 });
		for (const empty of [first, second]) expect(empty).toMatchObject({ orders: 0, totalSales: 0, verifiedSales: 0 });
		expect(today.day).toBe(new Date(testApp.clock.now().getTime() + 5.5 * 3_600_000).toISOString().slice(0, 10));
		expect(await read()).toHaveLength(30);
	});

	test('returns sums of days that add up to the summary', async () => {
		const { totalSales, verifiedSales, total } = await summary();
		const items = await read('?days=366');
		const sum = (field: string) =>
			items.reduce((sum_: number, day: Record<string, number>) => sum_ + Math.round((day[field] ?? 0) * 100), 0) / 100;
		expect([sum('totalSales'), sum('verifiedSales')]).toEqual([totalSales, verifiedSales]);
		expect(items.reduce((sum_: number, { orders }: { orders: number }) => sum_ + orders, 0)).toBe(total);
	});

	test.each(['0', '367', '-1', 'all', '1.5'])('refuses %s days', async (days) => {
		expect((await admin.call('GET', `/api/orders-days?days=${days}`)).statusCode).toBe(422);
	});

	test('has days of 23 or 25 hours when clocks change', () => {
		const hours = (last: string) =>
			lastDays(last, 3, 'Europe/London').map(({ from, before }) => (Date.parse(before) - Date.parse(from)) / 3_600_000);
		expect(hours('2026-03-30')).toEqual([24, 23, 24]);
		expect(hours('2026-10-26')).toEqual([24, 25, 24]);
		expect(lastDays('2026-01-01', 2, 'Asia/Kolkata').map(({ day }) => day)).toEqual(['2025-12-31', '2026-01-01']);
	});
});

describe('GET /api/orders.csv', () => {
	const read = async (query = '', client = admin) => {
		const answer = await client.call('GET', `/api/orders.csv${query}`);
		return { answer, rows: parse(answer.rawPayload, { bom: true, columns: true }) as Record<string, string>[] };
	};

	test('contains the orders that match search and status, and writes an audit entry', async () => {
		const utr = '5324 1187 0926';
		const bought = await buy({ name: 'कविता राव', email: 'csv-one@example.com', utr, pricePaise: 49_950 });
		await buy({ email: 'csv-two@example.com', phone: 'call', status: 'Complete', pricePaise: null });
		const { answer, rows } = await read('?search=csv-');
		expect(answer.headers).toMatchObject({
			'content-type': 'text/csv; charset=utf-8; header=present',
			'content-disposition': expect.stringMatching(/filename="orders-\d{4}-\d\d-\d\d\.csv"/u),
		});
		expect(rows).toEqual([
			expect.objectContaining({
				Email: 'csv-two@example.com',
				Status: 'Complete',
				Price: '',
				'Total price': '499',
				Flags: 'Check details',
			}),
			{
				'Order code': bought.code,
				'Order Time': expect.stringMatching(/^\d+ \w+ \d{4},? \d+:\d\d\s[ap]m$/u),
				'Order Time (ISO 8601)': expect.stringMatching(/Z$/u),
				Name: 'कविता राव',
				Email: 'csv-one@example.com',
				Phone: '98230 55512',
				'UPI ID': 'asha@examplebank',
				'Payment reference': utr,
				Status: 'Pending',
				Price: '499.50',
				'Total price': '499.50',
				Proofs: '1',
				Flags: '',
				'Note to the buyer': '',
			},
		]);
		expect((await read('?search=csv-&status=Complete')).rows).toHaveLength(1);
		expect((await read('?search=nobody-at-all')).rows).toEqual([]);
		expect((await admin.call('GET', '/api/orders.csv?status=Paid')).statusCode).toBe(422);
		const entries = await listExports();
		expect(entries).toHaveLength(3);
		expect(entries.map(({ detail }) => JSON.parse(detail))).toContainEqual({ search: 'csv-', status: 'Complete' });
	});

	test('contains all orders in the same sequence as the orders page', async () => {
		const { rows } = await read();
		const { items, total } = (await admin.call('GET', '/api/orders?limit=1000')).json();
		expect(total).toBe(rows.length);
		expect(rows.map((row) => row['Order code'])).toEqual(items.map(({ code }: { code: string }) => code));
	});

	test('has Hindi column headers with lang=hi, and writes no audit entry for HEAD', async () => {
		const heads = (await admin.call('GET', '/api/orders.csv?search=nobody-at-all&lang=hi')).body;
		expect(heads).toContain('ऑर्डर कोड');
		const { length } = await listExports();
		expect((await admin.call('HEAD', '/api/orders.csv')).statusCode).toBe(200);
		expect(await listExports()).toHaveLength(length);
	});
});

describe('a search returns the same orders as a comparison with all orders', () => {
	const listAll = async (): Promise<Order[]> => (await admin.call('GET', '/api/orders?limit=1000')).json().items;
	const idsWith = (orders: Order[], text: string) =>
		idsOf(orders.filter(({ name, email }) => `${name}\n${email}`.normalize('NFC').toLowerCase().includes(text)));
	const all = { status: 'All', sort: 'newest', after: null } as const;

	test('for any two adjacent characters', async () => {
		await buy({ name: 'Straße Ωμέγα İpek' });
		await buy({ name: '한글 😀 नमः', email: 'end@example.q9' });
		const changed = await buy({ name: 'Quirk Zz' });
		const gone = await buy({ name: 'Xylo Jj' });
		await changeOrder(admin, changed.id, { name: 'Vowel Kk' });
		await admin.call('DELETE', `/api/orders/${gone.id}`);
		const pairs = new Set(['zz', 'jj', 'qz', 'q~', 'm\n']);
		for (const { search_key } of await findRows(testApp.deps, 'orders')) {
			const signs = [...search_key];
			for (let at = 1; at < signs.length; at += 1) pairs.add(`${signs[at - 1]}${signs[at]}`);
		}
		expect(pairs.size).toBeGreaterThan(100);
		const orders = await listAll();
		for (const pair of pairs) {
			const found = await listOrders(testApp.deps.db, { ...all, searchKey: pair, isBroad: false, limit: 1000 });
			expect(idsOf(found), pair).toEqual(idsWith(orders, pair));
		}
	});

	test('for text of any length, with the same total, in one query and in steps', async () => {
		for (const name of ['Zed Ali', 'ज़ेबा ख़ान', '50% off_er', 'back\\slash', 'Ab']) await buy({ name });
		const orders = await listAll();
		const texts = ['z', 'ze', 'zed', 'ed al', 'ज़े', 'ज़ेबा', '50%', '_er', '%', '\\sl', '\\', 'desk-1', 'ab', '.com'];
		for (const text of texts) {
			const searchKey = text.normalize('NFC').toLowerCase();
			const expected = idsWith(orders, searchKey);
			const search = async (limit: number) =>
				(await admin.call('GET', `/api/orders?limit=${limit}&search=${encodeURIComponent(text)}`)).json();
			expect(idsOf((await search(1000)).items)).toEqual(expected);
			expect(await search(1)).toMatchObject({ total: expected.length, isMore: false });
			for (const [step, limit] of Object.entries({ 1: 1000, 2: 3, 7: 1000, 1000: 5 })) {
				const query = { ...all, searchKey, isBroad: true, limit };
				const inSteps = await listOrdersInSteps(testApp.deps.db, query, Number(step));
				expect(idsOf(inSteps)).toEqual(expected.slice(0, limit));
				const reversed = await listOrdersInSteps(testApp.deps.db, { ...query, sort: 'oldest' }, Number(step));
				expect(idsOf(reversed)).toEqual(expected.toReversed().slice(0, limit));
			}
		}
	});
});
