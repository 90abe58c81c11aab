import * as z from 'zod';
import { recordId } from '../core/common-fields.ts';
import { command, endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { checkoutInput } from './checkout.ts';
import { orderStatus } from './orders.ts';

/** A purchase that the owner makes to try the whole sale. Its order is marked and left out of all figures. */
const testPurchaseState = z.object({
	orderId: recordId,
	/** Version of the order, to set it to Complete. */
	version: z.number(),
	code: z.string(),
	status: orderStatus,
	email: z.string(),
	userId: z.string(),
	/** Mails to the test buyer, oldest first. `file`: saved and not sent, because no SMTP server is set. */
	mails: z.array(
		z.object({
			id: z.string(),
			kind: z.string(),
			state: z.enum(['waiting', 'sent', 'file', 'failed']),
			error: z.string().nullable(),
		}),
	),
	/** `no-edition`: no edition has a file. `making`: the buyer's copy is not ready yet. */
	reading: z.enum(['locked', 'no-edition', 'making', 'ready', 'failed']),
});
export type TestPurchase = z.infer<typeof testPurchaseState>;

/** Path of a test buyer's mail that was saved as a file (GET). */
export function testMailPath(id: string): string {
	return `/api/test-purchase/mails/${id}`;
}

export const testPurchaseErrors = defineErrors({
	TEST_PURCHASE_EXISTS: { status: 409, messageKey: 'error_test_purchase_exists' },
	TEST_BUYER_KNOWN: { status: 422, messageKey: 'error_test_buyer_known' },
});

const current = z.object({ purchase: testPurchaseState.nullable() });

export const testPurchase = {
	get: endpoint('admin', 'GET /api/test-purchase', 'Get the test purchase').output(current),
	/** Places the test order. TEST_PURCHASE_EXISTS, TEST_BUYER_KNOWN and INVALID_INPUT with `fields`. */
	start: endpoint('admin', 'POST /api/test-purchase', 'Make a test purchase')
		.input(checkoutInput.pick({ email: true }))
		.output(current),
	/** Removes order, proofs, account and mails of the test purchase; has no effect without one. */
	remove: command('admin', 'DELETE /api/test-purchase', 'Remove the test purchase').input(z.object({})),
};
