import * as z from 'zod';
import { rupees } from '../core/common-fields.ts';
import { defineErrors } from '../core/errors.ts';
import { order } from './orders.ts';

/** Takes a bank or UPI statement (multipart, one CSV file) and answers {@link statementAnswer}; it keeps nothing of it. */
export const statementPath = '/api/orders-statement';

const columnIndex = z.coerce.number().int().min(0).max(199);

/** Columns that somebody has named, each by its place counted from 0: in the query, where the header tells too little. */
export const statementColumns = z.object({
	date: columnIndex,
	/** What came in; what is below zero, or marked Dr, went out. */
	amount: columnIndex,
	/** Where the payment's reference stands. */
	text: columnIndex,
	/** Which of the two an amount is (Dr/Cr), where a column says it. */
	direction: columnIndex.optional(),
});
export type StatementColumns = z.infer<typeof statementColumns>;

/**
 * What a credit of the statement says about orders. `matched`: the reference and the amount of one Pending order.
 * `amount`: the reference, another amount. `complete`: done already. `unclear`: an owner has to look, `why` says at what.
 * `missing`: no order has the reference.
 */
export const statementKind = z.enum(['matched', 'amount', 'unclear', 'missing', 'complete']);
export type StatementKind = z.infer<typeof statementKind>;

export const statementLine = z.object({
	/** In the file, counted from 1. */
	line: z.number(),
	/** `YYYY-MM-DD`; null where the statement has no dates. */
	day: z.string().nullable(),
	amount: rupees,
	/** What the statement says of the payment. */
	text: z.string(),
	kind: statementKind,
	/**
	 * Of `unclear`. `used`: the payment has completed another order. `direction`: whether the money came in. `reference`: whether it is this payment's. `day`: long before
	 * the order, or to come. `flagged`: the desk marks the order. Of `missing`: an order is suggested, with another reference.
	 */
	why: z
		.enum([
			'used',
			'several-orders',
			'several-lines',
			'returned',
			'direction',
			'reference',
			'day',
			'flagged',
			'other-reference',
		])
		.nullable(),
	/** As the order has it; '' where no order has any of the line's. */
	reference: z.string(),
	/** What the payment is known by when it completes an order: the same, or all of the line's that may be its reference. */
	references: z.array(z.string()),
	/** Of `used`: that order's code. */
	usedBy: z.string().nullable(),
	/** Of `missing`: the only order that the amount and the payer's name, phone or UPI id suggest. */
	orderIds: z.array(z.string()),
});
export type StatementLine = z.infer<typeof statementLine>;

const sample = {
	/** The first rows, as wide as most of them are. */
	sample: z.array(z.array(z.string())),
	/** What the columns were taken for; null where the header does not tell. */
	columns: statementColumns.nullable(),
};

export const statementAnswer = z.discriminatedUnion('state', [
	/** The columns are to be named by whoever reads the statement. */
	z.object({ state: z.literal('columns'), ...sample }),
	z.object({
		state: z.literal('read'),
		...sample,
		/** At most `limits.statementShownMax` of each kind. */
		lines: z.array(statementLine),
		/** Of the lines' orders. */
		orders: z.array(order),
		/** Of all credits, by kind. */
		counts: z.record(statementKind, z.number()),
		/** Lines of money that went out. */
		debits: z.number(),
		/** Payments that failed, or that are not in rupees. */
		failed: z.number(),
		/** Lines whose date or amount makes no sense, and the first of them. */
		unread: z.number(),
		unreadLines: z.array(z.object({ line: z.number(), text: z.string() })),
	}),
]);
export type StatementAnswer = z.infer<typeof statementAnswer>;
/** A statement whose columns are known. */
export type ComparedStatement = Extract<StatementAnswer, { state: 'read' }>;

export const statementErrors = defineErrors({
	/** With `fields.file` for one that is too large. */
	STATEMENT_UNREADABLE: { status: 422, messageKey: 'error_statement_unreadable' },
	STATEMENT_BROKEN: { status: 422, messageKey: 'error_statement_broken' },
	STATEMENT_TOO_LONG: { status: 422, messageKey: 'error_statement_too_long' },
	STATEMENT_EMPTY: { status: 422, messageKey: 'error_statement_empty' },
});
