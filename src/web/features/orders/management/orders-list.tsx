import { Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { m } from '#messages';
import { formatState } from '#web/platform/browser/url-state.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { useStableCallback } from '#web/ui/hooks/latest-value.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { SkeletonRows } from '#web/ui/states/skeleton.tsx';
import { EmptyState, FailedQuery } from '#web/ui/states/states.tsx';
import { loadedPagesMax, type OrdersSearch, ordersFilter, useOrders } from '../orders-api.ts';
import type { OrderRowsProps } from './order-row.ts';
import { OrdersCards } from './orders-cards.tsx';
import { OrdersTable } from './orders-table.tsx';

/** Up to this width, a table row does not fit on one line. */
const narrowScreen = '(max-width: 1199px)';

export interface OrdersListProps extends Omit<OrderRowsProps, 'orders' | 'sort'> {
	search: OrdersSearch;
	/** Called when another page of rows was loaded; `page` is the number of loaded pages. */
	onPage: (page: number) => void;
	onClear: () => void;
}

export function useOrderRowsComponent() {
	return useMediaQuery(narrowScreen, false, { getInitialValueInEffect: false }) ? OrdersCards : OrdersTable;
}

export function OrdersList({ search, onPage, onClear, ...rows }: OrdersListProps) {
	const Rows = useOrderRowsComponent();
	const list = useOrders(search);

	if (list.isPending)
		return <SkeletonRows label={m.orders_loading()} widths={['14%', '22%', '12%', '18%', '28px', '96px']} />;
	if (list.isError && list.data === undefined) return <FailedQuery text={m.orders_failed()} query={list} />;
	const orders = list.data.pages.flatMap((page) => page.items);
	if (orders.length === 0) {
		const hasFilters = search.search !== '' || search.status !== 'All';
		return (
			<EmptyState
				text={m.orders_empty()}
				action={hasFilters ? <Button onClick={onClear}>{m.orders_clear()}</Button> : undefined}
			/>
		);
	}
	return (
		<div aria-busy={list.isPlaceholderData}>
			<Rows orders={orders} sort={search.sort} {...rows} />
			<OrdersListEnd
				key={formatState(ordersFilter, search)}
				page={search.page}
				{...{ list, onPage }}
				shown={orders.length}
			/>
		</div>
	);
}

interface OrdersListEndProps extends Pick<OrdersListProps, 'onPage'> {
	shown: number;
	/** Number of pages to load without scrolling. */
	page: number;
	list: ReturnType<typeof useOrders>;
}

/** Shows the number of loaded orders. Loads the next page when it scrolls into view or its button is pressed. */
function OrdersListEnd({ shown, page, list, onPage }: OrdersListEndProps) {
	const { hasNextPage, isFetchingNextPage } = list;
	const loaded = list.data?.pages.length ?? 0;
	const fetchNextPage = useStableCallback(async () => {
		const { data } = await list.fetchNextPage();
		const pages = data?.pages.length ?? 0;
		if (pages > page && page < loadedPagesMax) onPage(pages);
	});
	const { total = shown, isMore = false } = list.data?.pages[0] ?? {};
	const sentinel = useRef<HTMLDivElement>(null);
	const canFetch = hasNextPage && !isFetchingNextPage && !list.isFetchNextPageError && !list.isPlaceholderData;
	const isRestoring = loaded < page;
	useEffect(() => {
		if (canFetch && isRestoring) void fetchNextPage();
	}, [canFetch, isRestoring, fetchNextPage]);
	useEffect(() => {
		if (sentinel.current === null || !canFetch) return;
		const observer = new IntersectionObserver(
			(entries) => {
				if (entries.some((entry) => entry.isIntersecting)) void fetchNextPage();
			},
			{ rootMargin: '400px' },
		);
		observer.observe(sentinel.current);
		return () => observer.disconnect();
	}, [canFetch, fetchNextPage]);
	const range = isMore ? m.orders_shown_more : m.orders_shown;
	return (
		<Group
			ref={sentinel}
			gap={12}
			wrap="nowrap"
			py={16}
			c="dimmed"
			fz={13}
			style={{ fontVariantNumeric: 'tabular-nums' }}
		>
			<span role="status">{range({ shown: formatCount(shown), total: formatCount(Math.max(total, shown)) })}</span>
			{hasNextPage && (
				<Button size="small" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
					{isFetchingNextPage ? m.common_loading() : m.orders_more()}
				</Button>
			)}
		</Group>
	);
}
