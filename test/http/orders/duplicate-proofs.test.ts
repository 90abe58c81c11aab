import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DuplicateProof, Order } from '#contract/orders/orders.ts';
import { createHttpClient, type HttpClient, multipart } from '../../support/app/http-client.ts';
import { createSecondProcess, createTestApp, type TestApp } from '../../support/app/test-app.ts';
import { makeSignedInUser } from '../../support/app/users.ts';

let world: TestApp;
let admin: HttpClient;
let receipts: Buffer[];

beforeAll(async () => {
	world = await createTestApp();
	admin = (await makeSignedInUser(world, 'owner@example.com', 'admin')).client;
	const names = (await readdir('demo/pictures')).filter((name) => name.startsWith('receipt-')).sort();
	receipts = await Promise.all(names.map((name) => readFile(`demo/pictures/${name}`)));
});
beforeEach(deleteFingerprints);
afterAll(() => world.close());

/** Each picture is compared with sixteen earlier ones, some 10 ms each: of those that a test did not send, nothing is asked. */
async function deleteFingerprints() {
	await world.deps.db.deleteFrom('proof_fingerprints').execute();
}

let count = 0;
function post(path: string, fields: Record<string, string>, screenshot: Buffer, to: TestApp) {
	count += 1;
	const form = multipart(fields, { field: 'screenshot', name: 'paid.jpg', type: 'image/jpeg', bytes: screenshot });
	const visitor = createHttpClient(to.app, `198.51.${Math.floor(count / 20)}.${count % 20}`);
	return visitor.call('POST', path, form.body, { ...form.headers, accept: 'application/json' });
}

/** Buys from an address of its own, unless one is given. @returns the order as the orders page shows it, and its own page */
async function buy(
	screenshot: Buffer,
	fields: Record<string, string> = {},
	to = world,
): Promise<Order & { page: string }> {
	const email = fields.email ?? `buyer-${count}@example.com`;
	const values = { name: 'Asha Rao', phone: '98230 55512', upiId: 'asha@examplebank', ...fields, email };
	const answer = await post('/purchase', values, screenshot, to);
	// Nothing of a mark is told to the buyer.
	expect([answer.statusCode, answer.json().message]).toEqual([200, 'Purchase Complated Id Password sent on Email']);
	return { ...(await orderOf(email)), page: answer.json().statusUrl };
}
async function orderOf(email: string): Promise<Order> {
	const { items } = (await admin.call('GET', `/api/orders?search=${encodeURIComponent(email)}`)).json();
	return items[0];
}
const proofsOf = async (order: Pick<Order, 'id'>) => (await admin.call('GET', `/api/orders/${order.id}/proofs`)).json();

/** What was marked when each came: of two at the same moment, the second. */
function warningsOf(proofs: ReadonlyArray<{ id: string } | { proofId: string }>) {
	const ids = proofs.map((proof) => ('proofId' in proof ? proof.proofId : proof.id));
	return world.deps.db
		.selectFrom('proofs')
		.select(['id', 'same_utr_as', 'same_picture_as'])
		.where((where) => where.or([where('id', 'in', ids), where('order_id', 'in', ids)]))
		.execute();
}

const now = () => world.clock.now().toISOString();

let pictureCount = 0;
/** A picture that no other one of this file looks like, the same in every run: 24 × 48 grains, each some pixels large. */
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
	test('is optional, kept sealed with its proof, and shown with it', async () => {
		const email = 'reference@example.com';
		await buy(await noise(), { email });
		world.clock.advance(1);
		const order = await buy(await noise(), { email, utr: ' 5324 1187 0926 ' });
		expect(await proofsOf(order)).toMatchObject([
			{ utr: '5324 1187 0926', isUtrOdd: false },
			{ utr: null, isUtrOdd: false },
		]);
		expect(order.oddFields).toEqual([]);
		const rows = await world.deps.db.selectFrom('proofs').selectAll().execute();
		expect(JSON.stringify(rows)).not.toMatch(/5324 ?1187 ?0926/u);
	});

	test.each([
		['short', '12345', true],
		['words', 'see the picture', true],
		['markup', '<img src=x onerror=alert(1)>', true],
		['300 signs', '9'.repeat(300), true],
		['a bank transfer', 'SBIN 5324 1187 0926'.replace('5324', 'R324'), false],
		['Devanagari figures', '५३२४११८७०९९९', false],
	])('%s is accepted as it was typed, and marked where it is odd', async (_what, utr, isOdd) => {
		const order = await buy(await noise(), { utr });
		expect(await proofsOf(order)).toMatchObject([{ utr, isUtrOdd: isOdd }]);
		expect(order.oddFields).toEqual(isOdd ? ['utr'] : []);
	});

	test('beyond the limit is refused beside it', async () => {
		const file = { field: 'screenshot', name: 'a.png', type: 'image/png', bytes: await noise() };
		const values = { name: 'A B', phone: '1', email: 'long@example.com', upiId: 'x', utr: '1'.repeat(301) };
		const form = multipart(values, file);
		const answer = await createHttpClient(world.app).call('POST', '/purchase', form.body, {
			...form.headers,
			accept: 'application/json',
		});
		expect(answer.json().fields).toEqual({ utr: 'This is too long.' });
	});

	test('is known again however it was typed; each order leads to the other one', async () => {
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
		['a word before it', (utr: string) => `UTR${utr}`],
		['words before it', (utr: string) => `Ref No: ${utr}`],
		['a figure beside it', (utr: string) => `UPI 2: ${utr}`],
		['zeros before it', (utr: string) => `0000${utr}`],
		['a bank behind it', (utr: string) => `${utr} SBI`],
		['the way behind it', (utr: string) => `${utr}/UPI`],
		['groups and words', (utr: string) => `Ref No. ${utr.replace(/(.{4})(?!$)/gu, '$1 ')}`],
		['signs that nobody sees', (utr: string) => `\u3164${[...utr].join('\u034f')}\u200b`],
		['keycaps', (utr: string) => [...utr].join('\ufe0f\u20e3')],
		['accents', (utr: string) => [...utr].join('\u0301')],
		['both of it', (utr: string) => `${utr} (${utr})`],
	])('is known again with %s', async (_what, disguise) => {
		utrCount += 1;
		const utr = String(utrCount);
		const first = await buy(await noise(), { utr });
		const second = await buy(await noise(), { utr: disguise(utr) });
		expect(second.repeats).toEqual([{ kind: 'utr', code: first.code, isOwnOrder: false }]);
	});

	test('of two numbers in one text is not taken for either', async () => {
		const first = await buy(await noise(), { utr: '532411870333' });
		const both = await buy(await noise(), { utr: '532411870333 532411870334' });
		const other = await buy(await noise(), { utr: '532411870334' });
		expect([first, both, other].map(({ repeats }) => repeats)).toEqual([[], [], []]);
	});

	test('gets a warning beside an invisible name', async () => {
		const order = await buy(await noise(), { name: '\u3164' });
		expect(order.oddFields).toEqual(['name']);
		expect((await buy(await noise(), { name: 'Asha\u3164Rao' })).oddFields).toEqual(['name']);
	});

	test('sent again for the same order flags the proof, not the order', async () => {
		const email = 'twice@example.com';
		await buy(await noise(), { email, utr: '532411870222' });
		world.clock.advance(1);
		const order = await buy(await noise(), { email, utr: '532411870222' });
		expect(order).toMatchObject({ proofCount: 2, repeats: [] });
		expect(await proofsOf(order)).toMatchObject([
			{ repeats: [{ kind: 'utr', code: order.code, isOwnOrder: true }] },
			{ repeats: [] },
		]);
	});
});

describe('twenty at the same moment', () => {
	test('of one reference: all kept, all but one marked', async () => {
		const pictures = await Promise.all(Array.from({ length: 20 }, () => noise()));
		const orders = await Promise.all(pictures.map((picture) => buy(picture, { utr: '532411870333' })));
		const rows = await warningsOf(orders);
		const firsts = rows.filter(({ same_utr_as }) => same_utr_as === null);
		expect([rows.length, firsts.length]).toEqual([20, 1]);
		expect(new Set(rows.map(({ same_utr_as }) => same_utr_as))).toEqual(new Set([null, firsts[0]?.id]));
		for (const { id, code } of orders) {
			const [proof] = await proofsOf({ id });
			expect(proof.repeats.length).toBeGreaterThan(0);
			expect(proof.repeats.map((mark: DuplicateProof) => mark.code)).not.toContain(code);
		}
	});

	test('of one picture: all kept, all but one marked', async () => {
		const picture = await noise();
		const orders = await Promise.all(Array.from({ length: 20 }, () => buy(picture)));
		expect(orders.filter(({ repeats }) => repeats.length === 0)).toHaveLength(1);
		expect(new Set(orders.flatMap(({ repeats }) => repeats.map(({ kind }) => kind)))).toEqual(new Set(['picture']));
	});

	test('two, with one reference and one picture: exactly one is marked', async () => {
		const picture = await noise();
		const orders = await Promise.all([1, 2].map(() => buy(picture, { utr: '532411870444' })));
		const marks = (await warningsOf(orders)).map((row) =>
			[row.same_utr_as, row.same_picture_as].filter((id) => id !== null),
		);
		expect(marks.map(({ length }) => length).sort()).toEqual([0, 2]);
	});
});

/** Twenty in `npm test -- --long`: each round is two purchases and what the orders page says of them. */
const rounds = process.env.FOLIO_TEST_LONG === '1' ? 20 : 6;

describe(`two at the same moment, at two servers, ${rounds} times`, () => {
	/** By the form, and by the page of an order that is there: each sends a picture with a reference. */
	const ways = {
		async form(to: TestApp, picture: Buffer, utr: string, _order: Order) {
			return (await buy(picture, { utr }, to)).id;
		},
		async page(to: TestApp, picture: Buffer, utr: string, order: Order & { page: string }) {
			expect((await post(`${order.page}/proof`, { utr }, picture, to)).statusCode).toBe(303);
			return order.id;
		},
	};
	let twin: TestApp;
	beforeAll(async () => {
		twin = await createSecondProcess(world);
	});
	afterAll(() => twin.close());

	test.each<[keyof typeof ways, keyof typeof ways, 'utr' | 'picture']>([
		['form', 'form', 'utr'],
		['form', 'form', 'picture'],
		['form', 'page', 'utr'],
		['form', 'page', 'picture'],
		['page', 'page', 'utr'],
		['page', 'page', 'picture'],
	])('%s and %s, of one %s: both kept, exactly one marked', async (one, other, kind) => {
		const orders = [await buy(await noise()), await buy(await noise())] as const;
		for (let round = 0; round < rounds; round += 1) {
			const pictures = await Promise.all([noise(), noise()]);
			const sent = (side: 0 | 1) =>
				[
					pictures[kind === 'picture' ? 0 : side] as Buffer,
					kind === 'utr' ? `5324118${10_000 + count}` : '',
					orders[side],
				] as const;
			const [first, second] = [sent(0), sent(1)];
			world.clock.advance(1);
			await deleteFingerprints();
			const ids = await Promise.all([ways[one](world, ...first), ways[other](twin, ...second)]);
			const proofs = await Promise.all(ids.map((id) => proofsOf({ id })));
			const marks = proofs.map(([newest]) => newest.repeats.map((mark: DuplicateProof) => mark.kind));
			// Of one reference each names the other one, whichever was first.
			expect({ round, marks: marks.toSorted((a, b) => a.length - b.length) }).toEqual({
				round,
				marks: [kind === 'utr' ? [kind] : [], [kind]],
			});
			const rows = await warningsOf(proofs.map(([newest]) => ({ proofId: newest.id })));
			const marked = rows.map((row) => row[`same_${kind}_as`]).filter((id) => id !== null);
			expect({ round, marked: marked.length }).toEqual({ round, marked: 1 });
			expect(proofs.map(([newest]) => newest.createdAt)).toEqual([now(), now()]);
		}
	});
});

describe('the picture', () => {
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

	test('of other payments is another one; the same is known again, compressed, smaller or cut', async () => {
		const orders: Order[] = [];
		for (const receipt of receipts) orders.push(await buy(receipt));
		expect(orders.flatMap(({ repeats }) => repeats)).toEqual([]);
		for (const [what, change] of forms) {
			for (const [index, receipt] of receipts.slice(0, 4).entries()) {
				const again = await buy(await change(receipt));
				expect({ what, index, codes: again.repeats.map(({ code }) => code) }).toEqual({
					what,
					index,
					codes: [orders[index]?.code],
				});
			}
		}
	});

	test('two at once, compressed differently: exactly one is flagged as a duplicate', async () => {
		const picture = await noise(10);
		const both = await Promise.all([90, 60].map((quality) => sharp(picture).jpeg({ quality }).toBuffer()));
		const orders = await Promise.all(both.map((bytes) => buy(bytes)));
		expect(orders.map(({ repeats }) => repeats.length).sort()).toEqual([0, 1]);
	});

	test('of a deleted order flags nothing any more', async () => {
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

test.each([
	['Asha Rao', []],
	['श्री विद्यार्थी', []],
	["Mary O'Neil-D’Souza, Jr.", []],
	['12345', ['name']],
	['asha@examplebank', ['name']],
	['http://evil.example', ['name']],
	['🙂', ['name']],
	['A'.repeat(101), ['name']],
])('the name %.30s is accepted, and marked where it is odd', async (name, odd) => {
	expect((await buy(await noise(), { name })).oddFields).toEqual(odd);
});
