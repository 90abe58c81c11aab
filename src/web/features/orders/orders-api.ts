import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { limits } from '#contract/core/limits.ts';
import { type Order, orderSorts, orderStatusFilters, ordersCsvPath } from '#contract/orders/orders.ts';
import { api, cursorPaging } from '#web/platform/api/client.ts';
import { formatState } from '#web/platform/browser/url-state.ts';

const pageSize = 50;

/** Number of pages of rows that an opened address loads at most. */
export const loadedPagesMax = 20;

/** The filters and the sort, which can be saved under a name. */
export const ordersFilter = z.object({
	search: z._default(z.string().check(z.maxLength(limits.searchMaxLength)), ''),
	status: z._default(z.enum(orderStatusFilters), 'All'),
	sort: z._default(z.enum(orderSorts), 'newest'),
});

/** Search parameters of /Bookdashboard. */
export const ordersSearch = z.extend(ordersFilter, {
	/** Number of loaded pages of rows, so that a reload or Back shows the same rows. */
	page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(loadedPagesMax)), 1),
	/** Number of days in the chart. A number is accepted too. */
	days: z._default(z.pipe(z.transform(String), z.enum(['7', '30', '90'])), '30'),
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
