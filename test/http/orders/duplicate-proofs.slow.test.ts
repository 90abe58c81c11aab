import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { DuplicateProof, Order } from '#contract/orders/orders.ts';
import { createHttpClient, multipart } from '../../support/app/http-client.ts';
import { openTestApp } from '../../support/app/shared-test-app.ts';
import { createSecondProcess, type TestApp } from '../../support/app/test-app.ts';
import { pngFile, sendCheckoutForm } from '../../support/fixtures/checkout.ts';

const { testApp, admin } = await openTestApp();
const secondApp = await createSecondProcess(testApp);
afterAll(() => secondApp.close());
beforeEach(deleteFingerprints);

/** Deletes the fingerprints of other tests, because each comparison of an image takes about 10 ms. */
async function deleteFingerprints() {
	await testApp.deps.db.deleteFrom('proof_fingerprints').execute();
}

let count = 0;
function createVisitor(to: TestApp) {
	count += 1;
	return createHttpClient(to.app, `198.51.${Math.floor(count / 20)}.${count % 20}`);
}

/** Sends the checkout form, by default with a new email. @returns the order for admins, and the path of its page */
async function buy(
	screenshot: Buffer,
	fields: Record<string, string> = {},
	to = testApp,
): Promise<Order & { page: string }> {
	const email = fields.email ?? `buyer-${count}@example.com`;
	const answer = await sendCheckoutForm(createVisitor(to), { ...fields, email }, { bytes: screenshot });
	// The response must be the same for a duplicate payment proof.
	expect([answer.statusCode, answer.json().message]).toEqual([200, 'Purchase Complated Id Password sent on Email']);
	return { ...(await orderOf(email)), page: answer.json().statusUrl };
}
async function orderOf(email: string): Promise<Order> {
	const { items } = (await admin.call('GET', `/api/orders?search=${encodeURIComponent(email)}`)).json();
	return items[0];
}
const proofsOf = async (order: Pick<Order, 'id'>) => (await admin.call('GET', `/api/orders/${order.id}/proofs`)).json();

/** Reads the stored warnings of proofs or orders. Of two equal images or references, only the later has a warning. */
function warningsOf(ids: string[]) {
	return testApp.deps.db
		.selectFrom('proofs')
		.select(['id', 'same_utr_as', 'same_picture_as'])
		.where((where) => where.or([where('id', 'in', ids), where('order_id', 'in', ids)]))
		.execute();
}

let pictureCount = 0;
/** Returns a different image of 24 × 48 squares for each call, but the same images in each run. */
function noise(grainSize = 4): Promise<Buffer> {
	const [width, height] = [24, 48];
	const bytes = Buffer.alloc(width * height * 3);
	pictureCount += 1;
	for (let start = 0; start < bytes.length; start += 32)
		createHash('sha256').update(`${pictureCount} ${start}`).digest().copy(bytes, start);
	return sharp(bytes, { raw: { width, height, channels: 3 } })
		.resize(width * grainSize, height * grainSize, { kernel: 'nearest' })
		.png()
		.toBuffer();
}

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

	test('is not recognized in a text that contains two numbers', async () => {
		const first = await buy(await noise(), { utr: '532411870333' });
		const both = await buy(await noise(), { utr: '532411870333 532411870334' });
		const other = await buy(await noise(), { utr: '532411870334' });
		expect([first, both, other].map(({ repeats }) => repeats)).toEqual([[], [], []]);
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

test('simultaneous payment proofs with one reference and image are all stored, and all but one get both warnings', async () => {
	const picture = await noise();
	const orders = await Promise.all(Array.from({ length: 20 }, () => buy(picture, { utr: '532411870444' })));
	const rows = await warningsOf(orders.map(({ id }) => id));
	const [first, ...others] = rows.filter((row) => row.same_utr_as === null || row.same_picture_as === null);
	expect([rows.length, others.length]).toEqual([20, 0]);
	expect(first).toMatchObject({ same_utr_as: null, same_picture_as: null });
	expect(new Set(rows.map(({ same_utr_as }) => same_utr_as))).toEqual(new Set([null, first?.id]));
	for (const { id, code } of orders) {
		const [proof] = await proofsOf({ id });
		expect(proof.repeats.length).toBeGreaterThan(0);
		expect(proof.repeats.map((mark: DuplicateProof) => mark.code)).not.toContain(code);
	}
});

const rounds = 6;

describe(`two proofs sent to two servers at the same time, ${rounds} times`, () => {
	/** A payment proof is part of the checkout form, or is sent on the page of an existing order. */
	const ways = {
		async form(to: TestApp, picture: Buffer, utr: string, _order: Order) {
			return (await buy(picture, { utr }, to)).id;
		},
		async page(to: TestApp, picture: Buffer, utr: string, order: Order & { page: string }) {
			const form = multipart({ utr }, { ...pngFile, bytes: picture });
			const headers = { ...form.headers, accept: 'application/json' };
			const answer = await createVisitor(to).call('POST', `${order.page}/proof`, form.body, headers);
			expect(answer.statusCode).toBe(303);
			return order.id;
		},
	};
	const pairs = [
		['form', 'form'],
		['form', 'page'],
		['page', 'page'],
	] as const;
	const kinds = ['utr', 'picture'] as const;
	test.each(pairs.flatMap(([firstWay, secondWay]) => kinds.map((kind) => [firstWay, secondWay, kind] as const)))(
		'by %s and %s with the same %s are both stored, and one of them has a stored warning',
		async (firstWay, secondWay, kind) => {
			const orders = [await buy(await noise()), await buy(await noise())] as const;
			for (let round = 0; round < rounds; round += 1) {
				const pictures = await Promise.all([noise(), noise()]);
				const utr = kind === 'utr' ? `5324118${10_000 + count}` : '';
				testApp.clock.advance(1);
				await deleteFingerprints();
				const ids = await Promise.all([
					ways[firstWay](testApp, pictures[0], utr, orders[0]),
					ways[secondWay](secondApp, pictures[kind === 'picture' ? 0 : 1], utr, orders[1]),
				]);
				const proofs = await Promise.all(ids.map((id) => proofsOf({ id })));
				const marks = proofs.map(([newest]) => newest.repeats.map((mark: DuplicateProof) => mark.kind));
				// Admins see a warning at both orders with the same reference.
				expect({ round, marks: marks.toSorted((a, b) => a.length - b.length) }).toEqual({
					round,
					marks: [kind === 'utr' ? [kind] : [], [kind]],
				});
				const rows = await warningsOf(proofs.map(([newest]) => newest.id));
				const marked = rows.map((row) => row[`same_${kind}_as`]).filter((id) => id !== null);
				expect({ round, marked: marked.length }).toEqual({ round, marked: 1 });
				const now = testApp.clock.now().toISOString();
				expect(proofs.map(([newest]) => newest.createdAt)).toEqual([now, now]);
			}
		},
	);
});

describe('the image of a payment proof', () => {
	const forms: Array<[string, (bytes: Buffer) => Promise<Buffer>]> = [
		['compressed again', (bytes) => sharp(bytes).jpeg({ quality: 50 }).toBuffer()],
		['smaller', (bytes) => sharp(bytes).resize({ width: 540 }).jpeg({ quality: 60 }).toBuffer()],
		[
			'cut by a few pixels',
			async (bytes) => {
				const { width, height } = await sharp(bytes).metadata();
				const inner = { left: 5, top: 3, width: width - 8, height: height - 9 };
				return sharp(bytes).extract(inner).jpeg({ quality: 70 }).toBuffer();
			},
		],
	];

	test('is recognized after compression, scaling or cropping, and differs from other receipts', async () => {
		const names = (await readdir('demo/pictures')).filter((name) => name.startsWith('receipt-')).sort();
		const receipts = await Promise.all(names.map((name) => readFile(`demo/pictures/${name}`)));
		const orders: Order[] = [];
		for (const receipt of receipts) orders.push(await buy(receipt));
		expect(orders.flatMap(({ repeats }) => repeats)).toEqual([]);
		for (const [name, change] of forms) {
			for (const [index, receipt] of receipts.slice(0, 4).entries()) {
				const again = await buy(await change(receipt));
				const codes = again.repeats.map(({ code }) => code);
				expect(codes, `${name} ${index}`).toEqual([orders[index]?.code]);
			}
		}
	});

	test('causes one warning when it is sent at the same time with two compression levels', async () => {
		const picture = await noise(10);
		const both = await Promise.all([90, 60].map((quality) => sharp(picture).jpeg({ quality }).toBuffer()));
		const orders = await Promise.all(both.map((bytes) => buy(bytes)));
		expect(orders.map(({ repeats }) => repeats.length).sort()).toEqual([0, 1]);
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
