import * as z from 'zod';
import { defineErrors } from '../core/errors.ts';
import type { Order } from './orders.ts';

/** Path for posting a statement (multipart, one CSV file); the file is not stored. Response: {@link StatementAnswer}. */
export const statementPath = '/api/orders-statement';

const columnIndex = z.coerce.number().int().min(0).max(199);

/** Columns that the admin has chosen for a file without a clear header: indexes from 0, sent in the query. */
export const statementColumns = z.object({
	date: columnIndex,
	/** Amount received; an amount that is negative or marked Dr is a debit. */
	amount: columnIndex,
	text: columnIndex,
	/** Optional column that marks an amount as debit or credit (Dr/Cr). */
	direction: columnIndex.optional(),
});
export type StatementColumns = z.infer<typeof statementColumns>;

/**
 * How a credit of the statement matches orders. `matched`: reference and amount of one Pending order. `amount`: an
 * order has the reference, but another amount. `complete`: the order is already Complete. `unclear`: the owner must
 * check the credit, for the reason in `why`. `missing`: no order has the reference.
 */
export const statementKinds = ['matched', 'amount', 'unclear', 'missing', 'complete'] as const;
export type StatementKind = (typeof statementKinds)[number];

/**
 * Reason for `unclear`. `used`: the payment has completed another order. `direction`: it is uncertain whether money
 * came in. `reference`: it is uncertain whether the reference is this payment's. `day`: the date is long before the
 * order or in the future. `flagged`: the order has a warning or a duplicate proof. `other-reference` is a reason for
 * `missing`: an order with another reference is suggested.
 */
export type StatementDoubt =
	| 'used'
	| 'several-orders'
	| 'several-lines'
	| 'returned'
	| 'direction'
	| 'reference'
	| 'day'
	| 'flagged'
	| 'other-reference';

export interface StatementLine {
	/** Line number in the file, counted from 1. */
	line: number;
	/** `YYYY-MM-DD`; null where the statement has no dates. */
	day: string | null;
	/** In rupees. */
	amount: number;
	text: string;
	kind: StatementKind;
	why: StatementDoubt | null;
	/** The row's first reference that belongs to an order; '' when none does. */
	reference: string;
	/**
	 * References to store when the payment completes an order: those of the row that belong to an order. When none does,
	 * preferably those that no other row has.
	 */
	references: string[];
	/** For `used`: code of the order that the payment has completed. */
	usedBy: string | null;
	/** IDs of the matching orders; for `missing`, the only order that amount and payer suggest. */
	orderIds: string[];
}

interface StatementSample {
	/** The first rows with the most common number of columns. */
	sample: string[][];
	/** Detected columns; null when the header does not identify them. */
	columns: StatementColumns | null;
}

/** Result for a statement whose columns are known. */
export interface ComparedStatement extends StatementSample {
	state: 'read';
	/** At most `limits.statementRowsShownMax` rows of each kind. */
	lines: StatementLine[];
	/** Orders that the rows refer to. */
	orders: Order[];
	counts: Record<StatementKind, number>;
	debits: number;
	/** Number of payments that failed or are not in rupees. */
	failed: number;
	/** Number of rows whose date or amount is unreadable, and the first of these rows. */
	unread: number;
	unreadLines: Array<{ line: number; text: string }>;
}

/** State `columns`: the admin must choose the columns. */
export type StatementAnswer = ComparedStatement | (StatementSample & { state: 'columns' });

export const statementErrors = defineErrors({
	/** Has `fields.file` when the file is too large. */
	STATEMENT_UNREADABLE: { status: 422, messageKey: 'error_statement_unreadable' },
	STATEMENT_BROKEN: { status: 422, messageKey: 'error_statement_broken' },
	STATEMENT_TOO_LONG: { status: 422, messageKey: 'error_statement_too_long' },
	STATEMENT_EMPTY: { status: 422, messageKey: 'error_statement_empty' },
});
