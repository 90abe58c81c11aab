import { Box } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { formatCount, formatMoney } from '#web/platform/formats/format.ts';
import { DayChart } from '#web/ui/data/day-chart.tsx';
import { Figures } from '#web/ui/data/figures.tsx';
import { ChipFilter } from '#web/ui/forms/chip-filter.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import type { OrdersSearch } from '../orders-api.ts';
import classes from './orders-summary.module.css';

type Days = OrdersSearch['days'];

/** Stacked bars of the sales by day: verified sales are filled, Pending sales are hatched. */
export function SalesChart({ days, onChoose }: { days: Days; onChoose: (days: Days) => void }) {
	const sales = useQuery(
		api.orders.days.queryOptions({ input: { days: Number(days) }, placeholderData: keepPreviousData }),
	);
	if (sales.isPending) {
		return (
			<Box p="12px 20px 14px" bg="var(--surface)" role="status" aria-label={m.common_loading()}>
				<Skeleton height="186px" />
			</Box>
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

/** Total Sales includes every order; Verified sales includes only Complete orders. */
export function OrdersSummary({ chart }: { chart: ReactNode }) {
	const { data } = useQuery(api.orders.summary.queryOptions());
	const figures = [
		{ label: m.orders_total(), value: data && formatCount(data.total) },
		{ label: m.orders_pending(), value: data && formatCount(data.pending) },
		{ label: m.orders_complete(), value: data && formatCount(data.complete) },
		{ label: m.orders_total_sales(), value: data && formatMoney(data.totalSales) },
		{ label: m.orders_verified_sales(), value: data && formatMoney(data.verifiedSales) },
	];
	return (
		<div className={classes.card}>
			<Figures figures={figures} className={classes.figures} />
			{chart}
		</div>
	);
}
