import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { Skeleton, SkeletonRows } from '#web/ui/states/skeleton.tsx';
import { EmptyState, FailedQuery } from '#web/ui/states/states.tsx';
import { type OrdersSearch, useOrders } from '../orders-api.ts';
import type { OrderRowsProps } from './order-row.ts';
import { OrdersCards } from './orders-cards.tsx';
import classes from './orders-list.module.css';
import { OrdersTable } from './orders-table.tsx';

/** Below this width a row no longer fits on one line. */
const narrowScreen = '(max-width: 1199px)';

export interface OrdersListProps extends Omit<OrderRowsProps, 'orders'> {
	search: OrdersSearch;
	onClear: () => void;
}

/** Returns the table component, or the one with cards if the screen is too narrow. */
export function useOrderRowsComponent() {
	return useMediaQuery(narrowScreen, false, { getInitialValueInEffect: false }) ? OrdersCards : OrdersTable;
}

/** The orders that match the search; more of them load on scrolling. */
export function OrdersList({ search, onClear, ...rows }: OrdersListProps) {
	const Rows = useOrderRowsComponent();
	const list = useOrders(search);

	if (list.isPending) return <OrdersSkeleton />;
	if (list.isError && list.data === undefined) {
		return <FailedQuery text={m.orders_failed()} query={list} />;
	}
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
			<Rows orders={orders} {...rows} />
			<OrdersListEnd
				shown={orders.length}
				total={list.data.pages[0]?.total ?? orders.length}
				isMore={list.data.pages[0]?.isMore === true}
				hasMore={list.hasNextPage}
				isLoading={list.isFetchingNextPage}
				hasFailed={list.isFetchNextPageError}
				onMore={list.fetchNextPage}
			/>
		</div>
	);
}

interface OrdersListEndProps {
	shown: number;
	total: number;
	/** Whether there are more than `total`. */
	isMore: boolean;
	hasMore: boolean;
	isLoading: boolean;
	hasFailed: boolean;
	onMore: () => unknown;
}

/**
 * Shows how many of all orders are shown; loads the next page when it scrolls into view, or at the press of a button.
 */
function OrdersListEnd({ shown, total, isMore, hasMore, isLoading, hasFailed, onMore }: OrdersListEndProps) {
	const sentinel = useRef<HTMLDivElement>(null);
	const canFetch = hasMore && !isLoading && !hasFailed;
	useEffect(() => {
		if (sentinel.current === null || !canFetch) return;
		const observer = new IntersectionObserver(
			(entries) => {
				if (entries.some((entry) => entry.isIntersecting)) onMore();
			},
			{ rootMargin: '400px' },
		);
		observer.observe(sentinel.current);
		return () => observer.disconnect();
	}, [canFetch, onMore]);
	const range = isMore ? m.orders_shown_more : m.orders_shown;
	return (
		<div ref={sentinel} className={classes.more}>
			<span role="status">{range({ shown: formatCount(shown), total: formatCount(Math.max(total, shown)) })}</span>
			{hasMore && (
				<Button size="small" disabled={isLoading} onClick={() => onMore()}>
					{isLoading ? m.common_loading() : m.orders_more()}
				</Button>
			)}
		</div>
	);
}

function OrdersSkeleton() {
	return (
		<SkeletonRows label={m.orders_loading()}>
			<Skeleton width="14%" />
			<Skeleton width="22%" />
			<Skeleton width="12%" />
			<Skeleton width="18%" />
			<Skeleton width="28px" height="36px" />
			<Skeleton width="96px" height="26px" />
		</SkeletonRows>
	);
}
