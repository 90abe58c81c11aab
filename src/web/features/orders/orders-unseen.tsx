import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useLoadedOrders, useOrder } from './orders.api.ts';
import type { OrderDraft, OrderDrafts } from './orders-drafts.ts';
import { type OrdersListProps, useRows } from './orders-list.tsx';
import classes from './orders-unseen.module.css';

/**
 * Rows with something unsaved that the list does not show any more, because of another search or of somebody else:
 * nothing that was typed goes unseen.
 */
export function UnseenDrafts(props: OrdersListProps) {
	const seen = new Set(useLoadedOrders(props.search).map(({ id }) => id));
	const unseen = Object.values(props.drafts).filter(({ order }) => !seen.has(order.id));
	if (unseen.length === 0) return null;
	return (
		<section className={classes.unseen} aria-label={m.orders_unseen()}>
			<p className={classes.title}>{m.orders_unseen()}</p>
			{unseen.map((draft) => (
				<UnseenDraft key={draft.order.id} draft={draft} {...props} />
			))}
		</section>
	);
}

function UnseenDraft({ draft, search: _search, onClear: _onClear, ...rows }: OrdersListProps & { draft: OrderDraft }) {
	const { order: known, failure } = draft;
	const order = useOrder(known.id);
	const Rows = useRows();
	const isGone =
		failure?.code === 'ORDER_GONE' || (order.error !== null && describeFailure(order.error).code === 'ORDER_GONE');
	if (isGone) {
		return (
			<Notice
				tone="negative"
				action={
					<Button size="small" onClick={() => rows.dispatch({ type: 'dropped', id: known.id })}>
						{m.orders_discard()}
					</Button>
				}
			>
				{m.orders_unseen_gone({ name: known.name, code: known.code })}
			</Notice>
		);
	}
	const drafts: OrderDrafts = { [known.id]: draft };
	return <Rows {...rows} orders={[order.data ?? known]} drafts={drafts} />;
}
