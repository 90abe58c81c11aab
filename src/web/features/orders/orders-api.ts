import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import * as z from 'zod';
import { type Order, ordersCsvPath } from '#contract/orders/orders.ts';
import { api, cursorPaging } from '#web/platform/api/client.ts';
import { formatSearchText } from '#web/platform/browser/url-state.ts';

const pageSize = 50;

/** Search parameters of /Bookdashboard. */
export const ordersSearch = z.object({
	search: z.string().default(''),
	status: z.enum(['All', 'Pending', 'Complete']).default('All'),
	/** Number of days in the chart. A number is accepted too. */
	days: z.preprocess(String, z.enum(['7', '30', '90'])).default('30'),
});
export type OrdersSearch = z.infer<typeof ordersSearch>;

/** Newest orders first. The previous rows stay visible while a new search loads. */
export function useOrders({ search, status }: Pick<OrdersSearch, 'search' | 'status'>) {
	return useInfiniteQuery(
		api.orders.list.infiniteOptions({
			input: (cursor) => ({ search: search || undefined, status, cursor, limit: pageSize }),
			...cursorPaging,
			placeholderData: keepPreviousData,
		}),
	);
}

export function useLoadedOrders(search: OrdersSearch): Order[] {
	return useOrders(search).data?.pages.flatMap((page) => page.items) ?? [];
}

export function ordersCsvUrl({ search, status }: OrdersSearch): string {
	const filters = { search: search || undefined, status: status === 'All' ? undefined : status };
	return ordersCsvPath + formatSearchText(filters);
}
