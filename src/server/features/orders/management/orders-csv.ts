import type { Locale } from '#contract/core/text.ts';
import type { OrdersFilter } from '#contract/orders/orders.ts';
import type { Caller } from '../../../platform/actor.ts';
import type { Deps } from '../../../platform/deps.ts';
import { formatMoment } from '../../../platform/format.ts';
import { translate } from '../../../platform/messages.ts';
import { recordAudit } from '../../audit/index.ts';
import { type ExportedOrder, streamOrders } from '../orders.service.ts';

type Cell = (order: ExportedOrder, context: { locale: Locale; timeZone: string }) => string;

/** The columns. `heading` is a message key, and `cell` returns the text of an order; prices are in rupees. */
const columns: ReadonlyArray<readonly [heading: string, cell: Cell]> = [
	['orders_csv_code', ({ code }) => code],
	['orders_time', ({ createdAt }, { timeZone }) => formatMoment(createdAt, timeZone, 'en')],
	['orders_csv_iso', ({ createdAt }) => createdAt],
	['orders_name', ({ name }) => name],
	['orders_email', ({ email }) => email],
	['orders_phone', ({ phone }) => phone],
	['orders_upi_id', ({ upiId }) => upiId],
	['orders_utr', ({ utrs }) => utrs.join('; ')],
	['orders_status', ({ status }, { locale }) => translate(`orders_${status.toLowerCase()}`, locale)],
	// Empty for an order without its own price.
	['orders_price', ({ price }) => (price === null ? '' : plainRupees(price))],
	['orders_csv_total_price', ({ totalPrice }) => plainRupees(totalPrice)],
	['orders_csv_proofs', ({ proofCount }) => String(proofCount)],
	['orders_csv_flags', warningsOf],
	['orders_note', ({ note }) => note ?? ''],
];

function warningsOf({ oddFields, repeats }: ExportedOrder, { locale }: { locale: Locale }): string {
	const same = repeats.map(({ kind, code }) => translate(`orders_same_${kind}`, locale, { code }));
	return [...(oddFields.length > 0 ? [translate('orders_check_details', locale)] : []), ...same].join('; ');
}

export function csvHeader(locale: Locale): string[] {
	return columns.map(([heading]) => translate(heading, locale));
}

export async function* csvRows(deps: Deps, locale: Locale, filter: OrdersFilter): AsyncGenerator<string[]> {
	const context = { locale, timeZone: deps.config.TIME_ZONE };
	for await (const order of streamOrders(deps, filter)) yield columns.map(([, cell]) => cell(order, context));
}

export function recordOrdersExport(deps: Deps, caller: Caller, { search = '', status }: OrdersFilter): Promise<void> {
	return recordAudit(deps, deps.db, caller, 'orders-exported', ['system', 'orders'], {
		search,
		status: status === 'All' ? null : status,
	});
}

function plainRupees(rupees: number): string {
	return rupees.toFixed(Number.isInteger(rupees) ? 0 : 2);
}
