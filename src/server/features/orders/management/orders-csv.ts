import type { OrdersFilter } from '#contract/orders/orders.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import type { Caller } from '../../../platform/actor.ts';
import type { Deps } from '../../../platform/deps.ts';
import { formatMoment } from '../../../platform/format.ts';
import { translate } from '../../../platform/messages.ts';
import { recordAudit } from '../../audit/index.ts';
import { streamOrders } from '../orders.service.ts';

const columns = [
	'orders_csv_code',
	'orders_time',
	'orders_csv_iso',
	'orders_name',
	'orders_email',
	'orders_phone',
	'orders_upi_id',
	'orders_utr',
	'orders_status',
	'orders_price',
	'orders_csv_total_price',
	'orders_csv_proofs',
	'orders_csv_flags',
	'orders_note',
] as const;

/** The names of the file's columns: the words of the desk. */
export function csvHeader(locale: Locale): string[] {
	return columns.map((column) => translate(column, locale));
}

/** The orders that a filter leaves as rows of a file; prices in rupees as plain numbers, '' where an order has none of its own. */
export async function* csvRows(deps: Deps, locale: Locale, filter: OrdersFilter): AsyncGenerator<string[]> {
	const checkDetails = translate('orders_check_details', locale);
	for await (const order of streamOrders(deps, filter)) {
		const repeats = order.repeats.map(({ kind, code }) => translate(`orders_same_${kind}`, locale, { code }));
		yield [
			order.code,
			formatMoment(order.createdAt, deps.config.TIME_ZONE, 'en'),
			order.createdAt,
			order.name,
			order.email,
			order.phone,
			order.upiId,
			order.utrs.join('; '),
			translate(`orders_${order.status.toLowerCase()}`, locale),
			order.price === null ? '' : plainRupees(order.price),
			plainRupees(order.totalPrice),
			String(order.proofCount),
			[...(order.oddFields.length > 0 ? [checkDetails] : []), ...repeats].join('; '),
			order.note ?? '',
		];
	}
}

/** Somebody took the buyers' data out of the house. */
export function recordOrdersExport(deps: Deps, caller: Caller, { search = '', status }: OrdersFilter): Promise<void> {
	return recordAudit(deps, deps.db, caller, {
		action: 'orders-exported',
		subjectKind: 'system',
		subjectId: 'orders',
		detail: { search, status: status === 'All' ? null : status },
	});
}

function plainRupees(rupees: number): string {
	return rupees.toFixed(Number.isInteger(rupees) ? 0 : 2);
}
