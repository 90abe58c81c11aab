import type { Db } from '../../platform/database/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import { getBook } from '../book/index.ts';
import type { OrderRow } from './orders.queries.ts';

/** Encryption context of the UPI IDs in orders and proofs. */
export const upiContext = 'orders.upi_id';

/** The order details that a mail to the buyer contains. */
export interface OrderSummary {
	code: string;
	title: string;
	pricePaise: number;
	receivedAt: string;
}

export async function summarizeOrder(deps: Deps, tx: Db, order: OrderRow): Promise<OrderSummary> {
	const book = await getBook(deps, tx);
	return {
		code: order.code,
		title: book.title,
		pricePaise: order.price_paise ?? book.discountedPaise,
		receivedAt: order.created_at,
	};
}

/** Normalises the text that a search compares: that of orders and of the query. */
export function searchKeyOf(text: string): string {
	return text.trim().normalize('NFC').toLowerCase();
}
