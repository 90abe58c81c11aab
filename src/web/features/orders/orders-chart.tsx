import { m } from '#messages';
import { formatCount, formatMoney } from '#web/platform/format.ts';
import { ChipFilter } from '#web/ui/chip-filter.tsx';
import { DayChart } from '#web/ui/day-chart.tsx';
import { FailedQuery } from '#web/ui/faces.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { type OrdersSearch, useSalesDays } from './orders.api.ts';
import classes from './orders-ledger.module.css';

interface OrdersChartProps {
	days: OrdersSearch['days'];
	onChoose: (days: OrdersSearch['days']) => void;
}

/** Sales of the last days: what is verified filled, what is Pending hatched upon it. */
export function OrdersChart({ days, onChoose }: OrdersChartProps) {
	const sales = useSalesDays(Number(days));
	if (sales.isPending) {
		return (
			<div className={classes.waiting} role="status" aria-label={m.common_loading()}>
				<Skeleton height="186px" />
			</div>
		);
	}
	if (sales.isError && sales.data === undefined) return <FailedQuery text={m.orders_days_failed()} query={sales} />;
	return (
		<DayChart
			title={m.orders_by_day()}
			days={sales.data.items.map(({ day, orders, totalSales, verifiedSales }) => ({
				day,
				values: [verifiedSales, (Math.round(totalSales * 100) - Math.round(verifiedSales * 100)) / 100],
				more: [formatMoney(totalSales), formatCount(orders)],
			}))}
			series={[m.orders_complete(), m.orders_pending()]}
			more={[m.orders_total_sales(), m.orders_days_orders()]}
			format={formatMoney}
			emptyText={m.orders_days_none()}
			tools={
				<ChipFilter
					label={m.orders_days()}
					value={days}
					onChange={onChoose}
					choices={[
						{ value: '7', label: m.orders_days_7() },
						{ value: '30', label: m.orders_days_30() },
						{ value: '90', label: m.orders_days_90() },
					]}
				/>
			}
		/>
	);
}
