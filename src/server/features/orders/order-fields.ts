import type { Db } from '../../db/schema.ts';
import type { Deps } from '../../platform/deps.ts';
import { getBook } from '../settings/settings.service.ts';
import type { OrderRow } from './orders.queries.ts';

/** What a UPI id is sealed for, of orders and of proofs. */
export const upiContext = 'orders.upi_id';

/** What a buyer's mail tells about the order. */
export interface PlacedOrder {
	code: string;
	title: string;
	pricePaise: number;
	receivedAt: string;
}

export async function linesOf(deps: Deps, tx: Db, order: OrderRow): Promise<PlacedOrder> {
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
