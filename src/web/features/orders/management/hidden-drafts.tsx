import { Flex, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { useLoadedOrders } from '../orders-api.ts';
import type { OrderDraft } from './order-drafts.ts';
import { type OrdersListProps, useOrderRowsComponent } from './orders-list.tsx';

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

interface HiddenDraftProps extends OrdersListProps {
	draft: OrderDraft;
}

function HiddenDraft({ draft, search, onPage: _onPage, onClear: _onClear, ...rows }: HiddenDraftProps) {
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
