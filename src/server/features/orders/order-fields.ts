import type { Db } from '../../platform/database/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import { getBook } from '../book/index.ts';
import type { OrderRow } from './orders.queries.ts';

/** What a UPI id is sealed for, of orders and of proofs. */
export const upiContext = 'orders.upi_id';

/** What a buyer's mail tells about the order. */
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

/** What a search looks through, and for. */
export function searchKeyOf(text: string): string {
	return text.trim().normalize('NFC').toLowerCase();
}
