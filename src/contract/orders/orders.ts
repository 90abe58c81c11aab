import * as z from 'zod';
import { cursor, pageSize, recordId, rupees, searchText, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';

export const orderStatus = z.enum(['Pending', 'Complete']);
export type OrderStatus = z.infer<typeof orderStatus>;

/**
 * A proof has the payment reference of another one, or the picture of an earlier one; `used`: the reference completed an
 * order that was deleted since. A mark for the owner: nothing is refused for it.
 */
export const duplicateProof = z.object({
	kind: z.enum(['utr', 'picture', 'used']),
	/** The order of the other proof. */
	code: z.string(),
	isOwnOrder: z.boolean(),
});
export type DuplicateProof = z.infer<typeof duplicateProof>;

/** A book order as the desk shows it. Derived on read: `orderDate`, `totalPrice`, and `status` (absent means Pending). */
export const order = z.object({
	id: z.string(),
	/** Short code the buyer quotes, such as BYE-7K4M-2Q. */
	code: z.string(),
	name: z.string(),
	email: z.string(),
	/** Where the buyer's mails go, whatever `email` says by now; null when the account is no longer there. */
	accountEmail: z.string().nullable(),
	phone: z.string(),
	upiId: z.string(),
	/** Address of the newest proof's picture (`?thumb=1` for 96 px); null without one. */
	screenshot: z.string().nullable(),
	proofCount: z.number(),
	status: orderStatus,
	price: rupees.nullable(),
	totalPrice: rupees,
	createdAt: timestamp,
	/** `YYYY-MM-DD` in the business time zone. */
	orderDate: z.string(),
	/** Raised by every change; sent back with an update so that a stale one is heard. */
	version: z.number(),
	/** Details that look odd (never refused): the desk marks them. */
	oddFields: z.array(z.enum(['name', 'phone', 'upiId', 'utr'])),
	/** What of its proofs another order has too. */
	repeats: z.array(duplicateProof),
	/** What the owner tells the buyer on the status page. */
	note: z.string().nullable(),
	/** A new proof was asked for, and none has come since. */
	isProofWanted: z.boolean(),
});
export type Order = z.infer<typeof order>;

export const proof = z.object({
	id: z.string(),
	url: z.string(),
	createdAt: timestamp,
	/** The payment's reference; null when none was given. */
	utr: z.string().nullable(),
	isUtrOdd: z.boolean(),
	repeats: z.array(duplicateProof),
	/** What this proof's form said where it differs from the order: proposals. */
	proposals: z.object({ name: z.string().nullable(), phone: z.string().nullable(), upiId: z.string().nullable() }),
});
export type Proof = z.infer<typeof proof>;

/** An order beside whoever placed it: with its book, and the proofs that the desk's row leaves out. */
export const userOrder = order.extend({
	title: z.string(),
	/** The reference that was given last; null when none was. */
	utr: z.string().nullable(),
	/** Newest first; `url` of the picture (`?thumb=1` for 96 px). */
	proofs: z.array(proof.pick({ id: true, url: true, createdAt: true })),
});
export type UserOrder = z.infer<typeof userOrder>;

export const ordersFilter = z.object({
	search: searchText,
	status: z.enum(['All', 'Pending', 'Complete']).default('All'),
});
export type OrdersFilter = z.infer<typeof ordersFilter>;

/** Path of the same list as a file (text/csv), with the filter in the query. */
export const ordersCsvPath = '/api/orders.csv';

/** One day of sales; sums in rupees, `verifiedSales` of the Complete orders alone. */
export const salesDay = z.object({
	/** `YYYY-MM-DD` in the business time zone. */
	day: z.string(),
	orders: z.number(),
	totalSales: rupees,
	verifiedSales: rupees,
});
export type SalesDay = z.infer<typeof salesDay>;

/** What came of an order that was to be Complete: it changed meanwhile, is no longer there, or its payment was another's. */
export const completion = z.enum(['done', 'stale', 'gone', 'used']);
export type Completion = z.infer<typeof completion>;

export const orderErrors = defineErrors({
	ORDER_STALE: { status: 409, messageKey: 'error_order_stale' },
	ORDER_GONE: { status: 404, messageKey: 'error_order_gone' },
	ORDER_COMPLETE: { status: 409, messageKey: 'error_order_complete' },
	ORDER_ADDRESS_FIXED: { status: 409, messageKey: 'error_order_address_fixed' },
});

/** NUL is refused: PostgreSQL keeps no text with it. */
const requiredText = z
	.string()
	.trim()
	.min(1, 'error_field_required')
	.max(limits.textMaxLength, 'error_field_too_long')
	.refine((text) => !text.includes('\0'), 'error_invalid_input');

const statementReference = z.string().regex(/^[A-Z0-9]{0,40}$/u);

export const orders = {
	list: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/orders', summary: 'Orders, newest first' })
		.input(z.object({ ...ordersFilter.shape, cursor, limit: pageSize }))
		.output(
			z.object({
				items: z.array(order),
				nextCursor: z.string().nullable(),
				total: z.number(),
				/** There are more than `total`: a broad search is not counted to its end. */
				isMore: z.boolean(),
			}),
		),
	/** The tiles; sums in rupees. `verifiedSales` counts Complete orders only. */
	summary: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/orders-summary', summary: 'Counts and sums of all orders' })
		.output(
			z.object({
				total: z.number(),
				pending: z.number(),
				complete: z.number(),
				totalSales: rupees,
				verifiedSales: rupees,
			}),
		),
	/** Sales of the last days, today included, oldest first: a day without orders too. */
	days: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/orders-days', summary: 'Sales by day' })
		.input(z.object({ days: z.coerce.number().int().min(1).max(limits.chartDaysMax).default(30) }))
		.output(z.object({ items: z.array(salesDay) })),
	/** Each by itself: one that fails leaves the others. What is Complete already is done. */
	complete: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/orders-complete', summary: 'Set orders to Complete' })
		.input(
			z.object({
				orders: z
					.array(
						z.object({
							id: recordId,
							version: z.number().int(),
							/** Of the statement's line that shows the payment: the audit list tells it. */
							reference: statementReference.optional(),
							/** What the line may be known by: what has completed another order completes none. */
							references: z.array(statementReference.min(1)).max(limits.statementReferencesPerRowMax).optional(),
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
						/** Of `used`: the code of the order that the payment has completed. */
						usedBy: z.string().optional(),
					}),
				),
			}),
		),
	/** ORDER_GONE when it is no longer there. */
	get: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/orders/{id}/row', summary: 'One order' })
		.input(z.object({ id: recordId }))
		.output(order),
	proofs: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/orders/{id}/proofs', summary: 'Payment proofs of an order, newest first' })
		.input(z.object({ id: recordId }))
		.output(z.array(proof)),
	/** Saves the row as edited. ORDER_STALE when somebody saved first, ORDER_GONE, INVALID_INPUT with `fields`. */
	update: endpoint
		.meta({ access: 'admin', bodyLimitBytes: 256 * 1024 })
		.route({ method: 'PUT', path: '/api/orders/{id}', summary: 'Update an order' })
		.input(
			z.object({
				id: recordId,
				name: requiredText,
				email: requiredText,
				phone: requiredText,
				upiId: requiredText,
				status: orderStatus,
				version: z.number().int(),
			}),
		)
		.output(order),
	/** The note for the buyer, '' for none; ORDER_STALE when it is no longer as it `was`, ORDER_COMPLETE, ORDER_GONE. */
	writeNote: endpoint
		.meta({ access: 'admin' })
		.route({
			method: 'POST',
			path: '/api/orders/{id}/note',
			summary: 'Tell the buyer something, or ask for a new proof',
		})
		.input(
			z.object({
				id: recordId,
				note: z
					.string()
					.trim()
					.max(limits.orderNoteMaxLength, 'error_field_too_long')
					.refine((text) => !text.includes('\0'), 'error_invalid_input'),
				was: z.string().nullable(),
				/** Mails the buyer too, with the note and a link. */
				isProofWanted: z.boolean(),
			}),
		)
		.output(order),
	/** Permanent: the order and its proofs. */
	remove: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'DELETE', path: '/api/orders/{id}', summary: 'Delete an order' })
		.input(z.object({ id: recordId }))
		.output(z.object({})),
};
