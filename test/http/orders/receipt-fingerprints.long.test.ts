import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpClient } from '../../support/app/http-client.ts';
import { createTestApp, type TestApp } from '../../support/app/test-app.ts';
import { drawReceipt, makeReceipts, type Receipt, type receiptLayouts } from '../../support/documents/receipts.ts';
import { sendCheckoutForm } from '../../support/fixtures/checkout.ts';
import { disableOrderMails } from '../../support/fixtures/orders.ts';

const count = 200;
const maxDuplicateWarnings = 2;
/** Each function compresses a screenshot like a messenger, and the first two also scale it. */
const messengers: Array<(bytes: Buffer) => Promise<Buffer>> = [
	(bytes) => sharp(bytes).resize({ height: 1280 }).jpeg({ quality: 50 }).toBuffer(),
	(bytes) => sharp(bytes).resize({ width: 450 }).jpeg({ quality: 70 }).toBuffer(),
	(bytes) => sharp(bytes).jpeg({ quality: 40 }).toBuffer(),
];

/** Sends every nth receipt with a checkout form. @returns for each email, the email of the order with the same image */
async function buyWithReceipts(
	{ app, deps }: TestApp,
	receipts: Receipt[],
	{ prefix, every = 1 }: { prefix: string; every?: number },
	draw: (receipt: Receipt, index: number) => Promise<Buffer>,
): Promise<Map<string, string | null>> {
	const waiting = [...receipts.entries()].filter(([index]) => index % every === 0);
	const buyer = async () => {
		for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
			const [index, receipt] = entry;
			const fields = { name: receipt.name, upiId: receipt.upiId, email: `${prefix}-${index}@example.com` };
			const bytes = await draw(receipt, index);
			expect((await sendCheckoutForm(createHttpClient(app), fields, { bytes })).statusCode).toBe(200);
		}
	};
	await Promise.all([buyer(), buyer(), buyer()]);
	const rows = await deps.db
		.selectFrom('proofs')
		.innerJoin('orders', 'orders.id', 'proofs.order_id')
		.leftJoin('proofs as earlier', 'earlier.id', 'proofs.same_picture_as')
		.leftJoin('orders as earlier_orders', 'earlier_orders.id', 'earlier.order_id')
		.select(['orders.email', 'earlier_orders.email as repeats'])
		.where('orders.email', 'like', `${prefix}-%`)
		.execute();
	expect(rows).toHaveLength(Math.ceil(count / every));
	return new Map(rows.map(({ email, repeats }) => [email, repeats]));
}

test.each<[keyof typeof receiptLayouts, number]>([
	['cards', 1],
	['list', 4],
])(
	`${count} receipts in the layout %s get at most ${maxDuplicateWarnings} wrong duplicate warnings, and each copy from a messenger is recognized`,
	async (layout, every) => {
		const testApp = await createTestApp({ RATE_LIMIT_FACTOR: '1000' });
		onTestFinished(() => testApp.close());
		await disableOrderMails(testApp.deps);
		const receipts = makeReceipts(count);
		const [first, second] = receipts as [Receipt, Receipt];
		const [drawn, differing] = await Promise.all(
			[first, { ...first, utr: second.utr }].map((receipt) => drawReceipt(layout, receipt)),
		);
		if (drawn?.equals(differing as Buffer)) throw new Error('This machine has no fonts to draw receipts with.');

		const firsts = await buyWithReceipts(testApp, receipts, { prefix: 'first' }, (receipt) =>
			drawReceipt(layout, receipt),
		);
		const marked = [...firsts].filter(([, repeats]) => repeats !== null);
		expect(marked.length, JSON.stringify(marked)).toBeLessThanOrEqual(maxDuplicateWarnings);

		const resent = await buyWithReceipts(testApp, receipts, { prefix: 'again', every }, async (receipt, index) => {
			const change = messengers[index % messengers.length] as (typeof messengers)[0];
			return change(await drawReceipt(layout, receipt));
		});
		const missed = [...resent].filter(([email, repeats]) => repeats !== email.replace('again', 'first'));
		expect(missed).toEqual([]);
	},
);
