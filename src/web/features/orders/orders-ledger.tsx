import type { ReactNode } from 'react';
import { m } from '#messages';
import { formatCount, formatMoney } from '#web/platform/format.ts';
import { Figures } from '#web/ui/figures.tsx';
import { useOrdersSummary } from './orders.api.ts';
import classes from './orders-ledger.module.css';

/** The five figures of all orders, and what stands below them. Total Sales counts every order, Verified sales the Complete ones. */
export function OrdersLedger({ chart }: { chart: ReactNode }) {
	const { data } = useOrdersSummary();
	const figures = [
		{ label: m.orders_total(), value: data && formatCount(data.total) },
		{ label: m.orders_pending(), value: data && formatCount(data.pending) },
		{ label: m.orders_complete(), value: data && formatCount(data.complete) },
		{ label: m.orders_total_sales(), value: data && formatMoney(data.totalSales) },
		{ label: m.orders_verified_sales(), value: data && formatMoney(data.verifiedSales) },
	];
	return (
		<div className={classes.card}>
			<Figures figures={figures} className={classes.ledger} />
			{chart}
		</div>
	);
}
