import { Flex, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { formatState } from '#web/platform/browser/url-state.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { useStableCallback } from '#web/ui/hooks/latest-value.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { SkeletonRows } from '#web/ui/states/skeleton.tsx';
import { EmptyState, FailedQuery } from '#web/ui/states/states.tsx';
import { loadedPagesMax, type OrdersSearch, ordersFilter, useLoadedOrders, useOrders } from '../orders-api.ts';
import type { OrderDraft } from './order-drafts.ts';
import type { OrderRowsProps } from './order-row.ts';
import { OrdersCards, OrdersTable } from './order-rows.tsx';

/** Up to this width, a table row does not fit on one line. */
const narrowScreen = '(max-width: 1199px)';

interface OrdersListProps extends Omit<OrderRowsProps, 'orders' | 'sort'> {
	search: OrdersSearch;
	/** Called when another page of rows was loaded; `page` is the number of loaded pages. */
	onPage: (page: number) => void;
	onClear: () => void;
}

function useOrderRowsComponent() {
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
				shown={orders.filter(({ isTest }) => !isTest).length}
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

/** Shows rows with unsaved changes that are no longer in the list, after a new search or another admin's change. */
export function HiddenDrafts(props: OrdersListProps) {
	const shownIds = new Set(useLoadedOrders(props.search).map(({ id }) => id));
	const hidden = Object.values(props.drafts).filter(({ order }) => !shownIds.has(order.id));
	if (hidden.length === 0) return null;
	return (
		<Flex component="section" direction="column" gap={12} mb={20} aria-label={m.orders_hidden_drafts()}>
			<Text c="var(--accent)" fz={13} fw={600}>
				{m.orders_hidden_drafts()}
			</Text>
			{hidden.map((draft) => (
				<HiddenDraft key={draft.order.id} draft={draft} {...props} />
			))}
		</Flex>
	);
}

function HiddenDraft({
	draft,
	search,
	onPage: _onPage,
	onClear: _onClear,
	...rows
}: OrdersListProps & { draft: OrderDraft }) {
	const { order: draftOrder, failure } = draft;
	const order = useQuery({ ...api.orders.get.queryOptions({ input: { id: draftOrder.id } }), retry: false });
	const Rows = useOrderRowsComponent();
	const isGone =
		failure?.code === 'ORDER_GONE' || (order.error !== null && describeFailure(order.error).code === 'ORDER_GONE');
	if (isGone) {
		return (
			<Notice
				tone="negative"
				action={
					<Button size="small" onClick={() => rows.dispatch({ type: 'dropped', id: draftOrder.id })}>
						{m.orders_discard()}
					</Button>
				}
			>
				{m.orders_hidden_drafts_gone({ name: draftOrder.name, code: draftOrder.code })}
			</Notice>
		);
	}
	return <Rows {...rows} sort={search.sort} orders={[order.data ?? draftOrder]} drafts={{ [draftOrder.id]: draft }} />;
}
