import type { Db } from '../../platform/database/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import { getBook } from '../book/index.ts';
import type { OrderRow } from './orders.queries.ts';

/** Encryption context of the UPI IDs in orders and proofs. */
export const upiContext = 'orders.upi_id';

export interface OrderSummary {
	code: string;
	title: string;
	pricePaise: number;
	receivedAt: string;
}

export async function summarizeOrder(deps: Deps, tx: Db, order: OrderRow): Promise<OrderSummary> {
	return summaryOf(order, await getBook(deps, tx));
}

export function summaryOf(
	{ code, price_paise, created_at: receivedAt }: Pick<OrderRow, 'code' | 'price_paise' | 'created_at'>,
	{ title, discountedPaise }: { title: string; discountedPaise: number },
): OrderSummary {
	return { code, title, pricePaise: price_paise ?? discountedPaise, receivedAt };
}

/** Normalises the text that a search compares: that of orders and of the query. */
export function searchKeyOf(text: string): string {
	return text.trim().normalize('NFC').toLowerCase();
}
