import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import * as z from 'zod';
import { limits } from '#contract/core/limits.ts';
import { ordersFilter as contractFilter, type Order, ordersCsvPath } from '#contract/orders/orders.ts';
import { api, cursorPaging } from '#web/platform/api/client.ts';
import { formatState } from '#web/platform/browser/url-state.ts';

const pageSize = 50;

/** Number of pages of rows that an opened address loads at most. */
export const loadedPagesMax = 20;

/** The filters and the sort, which can be saved under a name. */
export const ordersFilter = z.object({
	search: z.string().max(limits.searchMaxLength).default(''),
	status: contractFilter.shape.status,
	sort: contractFilter.shape.sort,
});

/** Search parameters of /Bookdashboard. */
export const ordersSearch = ordersFilter.extend({
	/** Number of loaded pages of rows, so that a reload or Back shows the same rows. */
	page: z.coerce.number().int().min(1).max(loadedPagesMax).default(1),
	/** Number of days in the chart. A number is accepted too. */
	days: z.preprocess(String, z.enum(['7', '30', '90'])).default('30'),
});
export type OrdersSearch = z.infer<typeof ordersSearch>;

/** The previous rows stay visible while a new search loads. */
export function useOrders({ search, status, sort }: z.infer<typeof ordersFilter>) {
	return useInfiniteQuery(
		api.orders.list.infiniteOptions({
			input: (cursor) => ({ search: search || undefined, status, sort, cursor, limit: pageSize }),
			...cursorPaging,
			placeholderData: keepPreviousData,
		}),
	);
}

export function useLoadedOrders(search: OrdersSearch): Order[] {
	return useOrders(search).data?.pages.flatMap((page) => page.items) ?? [];
}

export function ordersCsvUrl(search: OrdersSearch): string {
	const query = formatState(ordersFilter, search);
	return query === '' ? ordersCsvPath : `${ordersCsvPath}?${query}`;
}
