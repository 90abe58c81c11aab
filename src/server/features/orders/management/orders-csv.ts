import type { Locale } from '#contract/core/text.ts';
import type { OrdersFilter } from '#contract/orders/orders.ts';
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

/** Returns the file's column names, with the same labels as the orders page. */
export function csvHeader(locale: Locale): string[] {
	return columns.map((column) => translate(column, locale));
}

/** Yields matching orders as CSV rows; prices in rupees, empty for an order without one of its own. */
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

/** Records in the audit list that buyers' data was exported. */
export function recordOrdersExport(deps: Deps, caller: Caller, { search = '', status }: OrdersFilter): Promise<void> {
	return recordAudit(deps, deps.db, caller, 'orders-exported', ['system', 'orders'], {
		search,
		status: status === 'All' ? null : status,
	});
}

function plainRupees(rupees: number): string {
	return rupees.toFixed(Number.isInteger(rupees) ? 0 : 2);
}
