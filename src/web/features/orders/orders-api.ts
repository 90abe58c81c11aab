import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { limits } from '#contract/core/limits.ts';
import { type Order, orderSorts, orderStatusFilters, ordersCsvPath } from '#contract/orders/orders.ts';
import { api, cursorPaging } from '#web/platform/api/client.ts';
import { integer, oneOf, orElse, stateOf, text } from '#web/platform/browser/readers.ts';
import { formatState } from '#web/platform/browser/url-state.ts';

const pageSize = 50;

/** Number of pages of rows that an opened address loads at most. */
export const loadedPagesMax = 20;

/** The filters and the sort, which can be saved under a name. */
const filterFields = {
	search: orElse(text(limits.searchMaxLength), ''),
	status: orElse(oneOf(orderStatusFilters), 'All'),
	sort: orElse(oneOf(orderSorts), 'newest'),
};
export const ordersFilter = stateOf(filterFields);

/** Search parameters of /Bookdashboard. */
export const ordersSearch = stateOf({
	...filterFields,
	/** Number of loaded pages of rows, so that a reload or Back shows the same rows. */
	page: orElse(integer(1, loadedPagesMax), 1),
	/** Number of days in the chart. A number is accepted too. */
	days: orElse((days) => oneOf(['7', '30', '90'])(String(days)), '30'),
});
export type OrdersSearch = ReturnType<typeof ordersSearch>;

/** The previous rows stay visible while a new search loads. */
export function useOrders({ search, status, sort }: ReturnType<typeof ordersFilter>) {
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
