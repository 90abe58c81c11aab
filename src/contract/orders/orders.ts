import * as z from 'zod';
import {
	cursor,
	pageOf,
	pageSize,
	recordId,
	rupees,
	searchText,
	timestamp,
	trimmedText,
} from '../core/common-fields.ts';
import { command, endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';

export const orderStatus = z.enum(['Pending', 'Complete']);
export type OrderStatus = z.infer<typeof orderStatus>;

/**
 * `utr`: another proof has the same payment reference. `picture`: an earlier proof has the same screenshot. `used`: the
 * reference completed an order that was deleted later. The owner sees a warning; the proof is accepted.
 */
export const duplicateProof = z.object({
	kind: z.enum(['utr', 'picture', 'used']),
	/** Code of the other proof's order. */
	code: z.string(),
	isOwnOrder: z.boolean(),
});
export type DuplicateProof = z.infer<typeof duplicateProof>;

/** A book order of the orders page. Computed on read: `orderDate`, `totalPrice`, `status` (absent means Pending). */
export const order = z.object({
	id: z.string(),
	/** Short code for the buyer to quote, such as BYE-7K4M-2Q. */
	code: z.string(),
	name: z.string(),
	email: z.string(),
	/** Address that the buyer's mails go to, even if `email` was edited; null when the account no longer exists. */
	accountEmail: z.string().nullable(),
	phone: z.string(),
	upiId: z.string(),
	/** URL of the newest screenshot (`?thumb=1` for 96 px); null without one. */
	screenshot: z.string().nullable(),
	proofCount: z.number(),
	status: orderStatus,
	price: rupees.nullable(),
	totalPrice: rupees,
	createdAt: timestamp,
	/** `YYYY-MM-DD` in the business time zone. */
	orderDate: z.string(),
	/** Increases with every change; an update with an older version fails with ORDER_STALE. */
	version: z.number(),
	/** Order warnings: fields that look wrong. The orders page highlights them; the order is accepted. */
	oddFields: z.array(z.enum(['name', 'phone', 'upiId', 'utr'])),
	/** Duplicate proofs: references and screenshots that another order also has. */
	repeats: z.array(duplicateProof),
	/** The owner's note to the buyer on the status page. */
	note: z.string().nullable(),
	/** Whether the owner requested a new proof that has not arrived yet. */
	isProofWanted: z.boolean(),
	/** Whether this is the order of a test purchase, which is left out of all figures. */
	isTest: z.boolean(),
});
export type Order = z.infer<typeof order>;

export const proof = z.object({
	id: z.string(),
	url: z.string(),
	createdAt: timestamp,
	/** The payment reference; null when none was given. */
	utr: z.string().nullable(),
	isUtrOdd: z.boolean(),
	repeats: z.array(duplicateProof),
	/** Proposed changes: values in the form of this proof; null if equal to the order's value. */
	proposals: z.object({ name: z.string().nullable(), phone: z.string().nullable(), upiId: z.string().nullable() }),
});
export type Proof = z.infer<typeof proof>;

/** An order on its buyer's card, with the title, the reference and the proofs. */
export const userOrder = order.extend({
	title: z.string(),
	/** The latest payment reference; null when none was given. */
	utr: z.string().nullable(),
	/** Newest first; `url` is the screenshot (`?thumb=1` for 96 px). */
	proofs: z.array(proof.pick({ id: true, url: true, createdAt: true })),
});
export type UserOrder = z.infer<typeof userOrder>;

/** The values of each filter. Arrays, so that the browser can import them without the schemas. */
export const orderStatusFilters = ['All', 'Pending', 'Complete'] as const;
export const orderSorts = ['newest', 'oldest'] as const;

export const ordersFilter = z.object({
	search: searchText,
	status: z.enum(orderStatusFilters).default('All'),
	sort: z.enum(orderSorts).default('newest'),
});
export type OrdersFilter = z.infer<typeof ordersFilter>;

/** Path of the order list as a CSV file (text/csv), with the filter in the query. */
export const ordersCsvPath = '/api/orders.csv';

/** Sales of one day; sums in rupees, `verifiedSales` of Complete orders only. */
export const salesDay = z.object({
	/** `YYYY-MM-DD` in the business time zone. */
	day: z.string(),
	orders: z.number(),
	totalSales: rupees,
	verifiedSales: rupees,
});
export type SalesDay = z.infer<typeof salesDay>;

/** Result for an order: done, changed meanwhile (`stale`), deleted (`gone`), payment used by another order (`used`). */
export const completion = z.enum(['done', 'stale', 'gone', 'used']);
export type Completion = z.infer<typeof completion>;

export const orderErrors = defineErrors({
	ORDER_STALE: { status: 409, messageKey: 'error_order_stale' },
	ORDER_GONE: { status: 404, messageKey: 'error_order_gone' },
	/** `fields.usedBy` is the code of the order that the payment has completed. */
	PAYMENT_USED: { status: 409, messageKey: 'error_payment_used' },
	ORDER_COMPLETE: { status: 409, messageKey: 'error_order_complete' },
	ORDER_ADDRESS_FIXED: { status: 409, messageKey: 'error_order_address_fixed' },
});

const requiredText = trimmedText(limits.textMaxLength).min(1, 'error_field_required');

/**
 * Confirms a completion whose payment has already completed another order: the code of that order, as the admin has seen
 * it.
 */
const usedBy = z.string().max(40).optional();

const statementReference = z.string().regex(/^[A-Z0-9]{0,40}$/u);

export const orders = {
	list: endpoint('admin', 'GET /api/orders', 'List the orders')
		.input(z.object({ ...ordersFilter.shape, cursor, limit: pageSize }))
		/** `isMore`: whether more orders match than `total`; the count of a broad search stops at a limit. */
		.output(pageOf(order, { total: z.number(), isMore: z.boolean() })),
	/** Returns the figures of the summary tiles; sums in rupees, `verifiedSales` of Complete orders only. */
	summary: endpoint('admin', 'GET /api/orders-summary', 'Get counts and sums of all orders').output(
		z.object({
			total: z.number(),
			pending: z.number(),
			complete: z.number(),
			totalSales: rupees,
			verifiedSales: rupees,
		}),
	),
	/** Returns the sales of the last days, oldest first, including today and days without orders. */
	days: endpoint('admin', 'GET /api/orders-days', 'List the sales by day')
		.input(z.object({ days: z.coerce.number().int().min(1).max(limits.chartDaysMax).default(30) }))
		.output(z.object({ items: z.array(salesDay) })),
	/** Sets each order to Complete independently; an order that is already Complete counts as done. */
	complete: endpoint('admin', 'POST /api/orders-complete', 'Set orders to Complete')
		.input(
			z.object({
				orders: z
					.array(
						z.object({
							id: recordId,
							version: z.number().int(),
							/** Reference of the statement row that shows the payment, for the audit list. */
							reference: statementReference.optional(),
							/** References that may identify the row's payment. */
							references: z.array(statementReference.min(1)).max(limits.statementReferencesPerRowMax).optional(),
							usedBy,
						}),
					)
					.min(1)
					.max(limits.ordersPerCallMax),
			}),
		)
		.output(
			z.object({
				items: z.array(
					z.object({
						id: z.string(),
						outcome: completion,
						/** For `used`: code of the order that the payment has completed, and its buyer unless it was deleted. */
						usedBy: z.string().optional(),
						usedByName: z.string().optional(),
					}),
				),
			}),
		),
	/** Returns one order. ORDER_GONE when it no longer exists. */
	get: endpoint('admin', 'GET /api/orders/{id}/row', 'Get an order')
		.input(z.object({ id: recordId }))
		.output(order),
	proofs: endpoint('admin', 'GET /api/orders/{id}/proofs', 'List the payment proofs of an order, newest first')
		.input(z.object({ id: recordId }))
		.output(z.array(proof)),
	/**
	 * Saves the order. ORDER_STALE when another admin has saved first, PAYMENT_USED when a reference of the order has
	 * completed another order, ORDER_GONE, INVALID_INPUT with `fields`.
	 */
	update: endpoint('admin', 'PUT /api/orders/{id}', 'Update an order', { bodyLimitBytes: 256 * 1024 })
		.input(
			z.object({
				id: recordId,
				name: requiredText,
				email: requiredText,
				phone: requiredText,
				upiId: requiredText,
				status: orderStatus,
				version: z.number().int(),
				usedBy,
			}),
		)
		.output(order),
	/** Saves the note for the buyer. ORDER_STALE when the stored note differs from `was`, ORDER_COMPLETE, ORDER_GONE. */
	writeNote: endpoint('admin', 'POST /api/orders/{id}/note', 'Save the note for the buyer, or request a new proof')
		.input(
			z.object({
				id: recordId,
				note: trimmedText(limits.orderNoteMaxLength),
				was: z.string().nullable(),
				/** Whether to request a new proof with a mail, which has the note and a link. */
				isProofWanted: z.boolean(),
			}),
		)
		.output(order),
	/** Deletes the order and its proofs permanently. */
	remove: command('admin', 'DELETE /api/orders/{id}', 'Delete an order').input(z.object({ id: recordId })),
};
