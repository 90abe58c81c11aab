import type { Order } from '#contract/orders/orders.ts';
import { m } from '#messages';

const maxValueLength = 40;
const labels: Readonly<Record<Order['oddFields'][number], () => string>> = {
	name: m.orders_name,
	phone: m.orders_phone,
	upiId: m.orders_upi_id,
	utr: m.orders_utr,
};

/**
 * Returns the fields that the owner should check; '' for none. Where the values are not shown, use
 * {@link warningDetails}.
 */
export function warningLabels({ oddFields }: Order): string {
	return warningText(oddFields.map((field) => labels[field]()));
}

/** The same with the values, except that of the payment reference, which is shown with its proof. */
export function warningDetails(order: Order): string {
	const details = order.oddFields.map((field) => {
		const label = labels[field]();
		return field === 'utr' ? label : m.orders_warning_detail({ label, value: truncate(order[field]) });
	});
	return warningText(details);
}

function warningText(details: string[]): string {
	return details.length === 0 ? '' : m.orders_check_details_of({ details: details.join(', ') });
}

function truncate(value: string): string {
	const characters = [...value];
	return characters.length > maxValueLength ? `${characters.slice(0, maxValueLength - 1).join('')}…` : value;
}
