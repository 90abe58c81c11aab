import { afterAll, describe, expect, test } from 'vitest';
import type { DuplicateProof, Order } from '#contract/orders/orders.ts';
import { createHttpClient } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { createSecondProcess, type TestApp } from '../../support/app/test-app.ts';
import { makeNoise } from '../../support/documents/images.ts';
import { sendCheckoutForm } from '../../support/fixtures/checkout.ts';
import { changeOrder } from '../../support/fixtures/orders.ts';

const { testApp, admin } = await openTestApp();
const secondApp = await createSecondProcess(testApp);
afterAll(() => secondApp.close());

let count = 0;
function createVisitor(to: TestApp) {
	count += 1;
	return createHttpClient(to.app, `198.51.${Math.floor(count / 20)}.${count % 20}`);
}

/** Sends the checkout form, by default with a new email. @returns the order for admins */
async function buy(screenshot: Buffer, fields: Record<string, string> = {}, to = testApp): Promise<Order> {
	const email = fields.email ?? `buyer-${count}@example.com`;
	const answer = await sendCheckoutForm(createVisitor(to), { ...fields, email }, { bytes: screenshot });
	// The response must be the same for a duplicate payment proof.
	expect([answer.statusCode, answer.json().message]).toEqual([200, 'Purchase Complated Id Password sent on Email']);
	return orderOf(email);
}
async function orderOf(email: string): Promise<Order> {
	const { items } = (await admin.call('GET', `/api/orders?search=${encodeURIComponent(email)}`)).json();
	return items[0];
}
const proofsOf = async (order: Pick<Order, 'id'>) => (await admin.call('GET', `/api/orders/${order.id}/proofs`)).json();

const noise = () => makeNoise(24, 48);

describe('the payment reference', () => {
	let utrCount = 532_411_871_000;
	test('is optional, stored encrypted, and shown with its payment proof', async () => {
		const email = 'reference@example.com';
		await buy(await noise(), { email });
		testApp.clock.advance(1);
		const order = await buy(await noise(), { email, utr: ' 5324 1187 0926 ' });
		expect(await proofsOf(order)).toMatchObject([
			{ utr: '5324 1187 0926', isUtrOdd: false },
			{ utr: null, isUtrOdd: false },
		]);
		expect(order.oddFields).toEqual([]);
		const rows = await testApp.deps.db.selectFrom('proofs').selectAll().execute();
		expect(JSON.stringify(rows)).not.toMatch(/5324 ?1187 ?0926/u);
	});

	test.each([
		['short', '12345', true],
		['a sentence', 'see the picture', true],
		['markup', '<img src=x onerror=alert(1)>', true],
		['300 characters', '9'.repeat(300), true],
		['a bank transfer', 'SBIN 5324 1187 0926'.replace('5324', 'R324'), false],
		['Devanagari digits', '५३२४११८७०९९९', false],
	])('is stored as entered, and causes a warning when it is unusual: %s', async (_what, utr, isOdd) => {
		const order = await buy(await noise(), { utr });
		expect(await proofsOf(order)).toMatchObject([{ utr, isUtrOdd: isOdd }]);
		expect(order.oddFields).toEqual(isOdd ? ['utr'] : []);
	});

	test('that another order has in a different format causes a warning for both orders', async () => {
		const first = await buy(await noise(), { utr: '532411870111' });
		const second = await buy(await noise(), { utr: '5324-1187-0111' });
		expect(first.repeats).toEqual([]);
		expect(second.repeats).toEqual([{ kind: 'utr', code: first.code, isOwnOrder: false }]);
		const mark = { kind: 'utr', code: second.code, isOwnOrder: false };
		expect(await orderOf(first.email)).toMatchObject({ repeats: [mark] });
		expect(await proofsOf(first)).toMatchObject([{ repeats: [mark] }]);
		const found = (await admin.call('GET', `/api/orders?search=${first.code}`)).json();
		expect(found.items.map(({ id }: Order) => id)).toEqual([first.id]);
	});

	test.each([
		['a word before the number', (utr: string) => `UTR${utr}`],
		['words before the number', (utr: string) => `Ref No: ${utr}`],
		['a digit before the number', (utr: string) => `UPI 2: ${utr}`],
		['zeros before the number', (utr: string) => `0000${utr}`],
		['a bank after the number', (utr: string) => `${utr} SBI`],
		['the payment method after the number', (utr: string) => `${utr}/UPI`],
		['words and groups of digits', (utr: string) => `Ref No. ${utr.replace(/(.{4})(?!$)/gu, '$1 ')}`],
		['invisible characters', (utr: string) => `\u3164${[...utr].join('\u034f')}\u200b`],
		['keycaps', (utr: string) => [...utr].join('\ufe0f\u20e3')],
		['accents', (utr: string) => [...utr].join('\u0301')],
		['a repetition in brackets', (utr: string) => `${utr} (${utr})`],
	])('is recognized with %s', async (_what, disguise) => {
		utrCount += 1;
		const utr = String(utrCount);
		const first = await buy(await noise(), { utr });
		const second = await buy(await noise(), { utr: disguise(utr) });
		expect(second.repeats).toEqual([{ kind: 'utr', code: first.code, isOwnOrder: false }]);
	});

	test.each([
		['a phone number after the number', (utr: string) => `${utr} 919876543210`],
		['a phone number before the number', (utr: string) => `919876543210/${utr}`],
		['a phone number and groups of digits', (utr: string) => `+91 9876543210, ${utr.replace(/(.{4})(?!$)/gu, '$1 ')}`],
		['an account number after the number', (utr: string) => `Txn ${utr} a/c 123412341234`],
		['an account number before the number', (utr: string) => `a/c 123412341235 Txn ${utr}`],
		['zeros after the number', (utr: string) => `${utr}00`],
		['other digits around the number', (utr: string) => `12${utr}3`],
		['no words between two numbers', (utr: string) => `Txn${utr}ac123412341236`],
	])('completes only one order without a question, with %s', async (_what, disguise) => {
		utrCount += 1;
		const utr = String(utrCount);
		const [plain, disguised] = [await buy(await noise(), { utr }), await buy(await noise(), { utr: disguise(utr) })];
		expect(disguised.repeats).toEqual([{ kind: 'utr', code: plain.code, isOwnOrder: false }]);
		for (const [first, second] of [
			[plain, disguised],
			[disguised, plain],
		] as const) {
			expect((await changeOrder(admin, first.id, { status: 'Complete' })).statusCode).toBe(200);
			expect((await orderOf(second.email)).repeats).toEqual([{ kind: 'utr', code: first.code, isOwnOrder: false }]);
			const refused = await changeOrder(admin, second.id, { status: 'Complete' });
			expect([refused.statusCode, refused.json().fields]).toEqual([409, { usedBy: first.code }]);
			const confirmed = await changeOrder(admin, second.id, { status: 'Complete', usedBy: first.code });
			expect(confirmed.statusCode).toBe(200);
			for (const { id } of [first, second]) await changeOrder(admin, id, { status: 'Pending' });
		}
	});

	test('is recognized by each number in a text with two numbers, and by no part of a long number', async () => {
		const first = await buy(await noise(), { utr: '532411870333' });
		const both = await buy(await noise(), { utr: '532411870333 532411870334' });
		const other = await buy(await noise(), { utr: '532411870334' });
		const long = await buy(await noise(), { utr: '53241187033353241' });
		const codesOf = async (order: Order) => (await orderOf(order.email)).repeats.map(({ code }) => code);
		expect(await codesOf(first)).toEqual([both.code]);
		expect(await codesOf(both)).toEqual([first.code, other.code]);
		expect(await codesOf(long)).toEqual([]);
		await changeOrder(admin, both.id, { status: 'Complete' });
		expect(await codesOf(other)).toEqual([both.code]);
		await admin.call('DELETE', `/api/orders/${both.id}`);
		expect((await orderOf(other.email)).repeats).toEqual([{ kind: 'used', code: both.code, isOwnOrder: false }]);
		expect((await changeOrder(admin, other.id, { status: 'Complete' })).statusCode).toBe(409);
	});

	test('that is sent twice for an order causes a warning at the payment proof but not at the order', async () => {
		const email = 'twice@example.com';
		await buy(await noise(), { email, utr: '532411870222' });
		testApp.clock.advance(1);
		const order = await buy(await noise(), { email, utr: '532411870222' });
		expect(order).toMatchObject({ proofCount: 2, repeats: [] });
		expect(await proofsOf(order)).toMatchObject([
			{ repeats: [{ kind: 'utr', code: order.code, isOwnOrder: true }] },
			{ repeats: [] },
		]);
	});
});

test('payment proofs with one reference and picture, sent to two servers at the same time, all cause both warnings', async () => {
	const picture = await noise();
	const utr = '532411870444';
	const orders = await Promise.all(
		Array.from({ length: 20 }, (_, index) => buy(picture, { utr }, index % 2 === 0 ? testApp : secondApp)),
	);
	const codes = orders.map(({ code }) => code);
	for (const { id, code } of orders) {
		const proofs = await proofsOf({ id });
		expect(proofs).toHaveLength(1);
		const { repeats } = proofs[0] as { repeats: DuplicateProof[] };
		expect(new Set(repeats.map(({ kind }) => kind))).toEqual(new Set(['utr', 'picture']));
		for (const repeat of repeats) expect(codes.filter((other) => other !== code)).toContain(repeat.code);
	}
});

describe('the picture of a payment proof', () => {
	test('causes a warning for both orders when it is sent again, also with another reference', async () => {
		const picture = await noise();
		const first = await buy(picture);
		const second = await buy(picture, { utr: '532411870666' });
		expect(second.repeats).toEqual([{ kind: 'picture', code: first.code, isOwnOrder: false }]);
		expect((await orderOf(first.email)).repeats).toEqual([{ kind: 'picture', code: second.code, isOwnOrder: false }]);
		expect((await buy(await noise())).repeats).toEqual([]);
	});

	test('that is sent twice for an order causes a warning at the payment proof but not at the order', async () => {
		const [email, picture] = ['twice-picture@example.com', await noise()];
		await buy(picture, { email });
		testApp.clock.advance(1);
		const order = await buy(picture, { email });
		expect(order).toMatchObject({ proofCount: 2, repeats: [] });
		const [second, first] = await proofsOf(order);
		expect(second.repeats).toEqual([{ kind: 'picture', code: order.code, isOwnOrder: true }]);
		expect(first.repeats).toEqual([]);
	});

	test('causes no warning after its order was deleted', async () => {
		const picture = await noise();
		const first = await buy(picture, { utr: '532411870555' });
		const second = await buy(picture, { utr: '532411870555' });
		expect(second.repeats).toHaveLength(2);
		await admin.call('DELETE', `/api/orders/${first.id}`);
		expect((await orderOf(second.email)).repeats).toEqual([]);
		const third = await buy(picture, { utr: '532411870555' });
		expect(new Set(third.repeats.map(({ code }) => code))).toEqual(new Set([second.code]));
	});
});
