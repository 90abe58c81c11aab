import type { Order } from '#contract/orders/orders.ts';
import { m } from '#messages';

const shownMax = 40;
const labels: Readonly<Record<Order['oddFields'][number], () => string>> = {
	name: m.orders_name,
	phone: m.orders_phone,
	upiId: m.orders_upi_id,
	utr: m.orders_utr,
};

/** Which details the owner should look at twice; '' where none. For places where they do not stand themselves, {@link oddValues}. */
export function oddLabels({ oddFields }: Order): string {
	return wordsOf(oddFields.map((field) => labels[field]()));
}

/** The same, with what was typed there. The reference stands with its proof. */
export function oddValues(order: Order): string {
	const details = order.oddFields.map((field) => {
		const label = labels[field]();
		return field === 'utr' ? label : m.orders_odd_detail({ label, value: clip(order[field]) });
	});
	return wordsOf(details);
}

function wordsOf(details: string[]): string {
	return details.length === 0 ? '' : m.orders_check_details_of({ details: details.join(', ') });
}

function clip(value: string): string {
	const signs = [...value];
	return signs.length > shownMax ? `${signs.slice(0, shownMax - 1).join('')}…` : value;
}
