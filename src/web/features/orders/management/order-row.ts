import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import type { Dispatch } from 'react';
import type { Order, OrdersFilter } from '#contract/orders/orders.ts';
import { m } from '#messages';
import { api, type CallOutputs, client } from '#web/platform/api/client.ts';
import { describeFailure, type Failure } from '#web/platform/api/failure.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';
import { useStableCallback } from '#web/ui/hooks/latest-value.ts';
import type { DraftAction, EditableField, OrderDraft, OrderDrafts, OrderValues } from './order-drafts.ts';
import { baseVersion, draftValues } from './order-drafts.ts';
import type { OrderSelection } from './order-selection.ts';

/** A save that the server has refused, because the payment has already completed another order. */
export interface PaymentUse {
	order: Order;
	draft: OrderDraft | undefined;
	changes: Partial<OrderValues>;
	failure: Failure;
}

export interface OrderRowProps {
	order: Order;
	draft: OrderDraft | undefined;
	dispatch: Dispatch<DraftAction>;
	onShowProofs: (order: Order) => void;
	onWriteNote: (order: Order) => void;
	onDelete: (order: Order) => void;
	onPaymentUsed: (use: PaymentUse) => void;
	isChosen: boolean;
	onChoose: (order: Order, isRange: boolean) => void;
}

export interface OrderRowsProps
	extends Pick<OrderRowProps, 'dispatch' | 'onShowProofs' | 'onWriteNote' | 'onDelete' | 'onPaymentUsed'> {
	orders: Order[];
	drafts: OrderDrafts;
	selection: OrderSelection;
	sort: OrdersFilter['sort'];
}

export function useOrderRows({ orders, drafts, selection, sort: _sort, ...actions }: OrderRowsProps): OrderRowProps[] {
	// A stable function, so that selecting a row renders only this row.
	const onChoose = useStableCallback((order: Order, isRange: boolean) => selection.choose(order.id, isRange, orders));
	return orders.map((order) => {
		return { ...actions, order, draft: drafts[order.id], isChosen: selection.ids.has(order.id), onChoose };
	});
}

type OrdersPage = CallOutputs['orders']['list'];

export type EditableOrderRow = ReturnType<typeof useEditableOrderRow>;

/**
 * Returns a function that saves a row with its unsaved changes. The error of a failed save is stored in the draft, except
 * that of a used payment. `usedBy`: confirms a used payment with the code of the other order.
 */
export function useSaveOrder({ dispatch, onPaymentUsed }: Pick<OrderRowProps, 'dispatch' | 'onPaymentUsed'>) {
	const queryClient = useQueryClient();
	const update = useChange(client.orders.update, {
		refetch: [api.orders.key()],
		onSuccess: (saved) => {
			// Shows the saved order before the refetch.
			queryClient.setQueriesData<InfiniteData<OrdersPage>>({ queryKey: api.orders.list.key() }, (data) =>
				data === undefined ? undefined : replaceOrder(data, saved),
			);
			toastSuccess(m.orders_updated());
		},
		onError: ({ code }) => code !== 'PAYMENT_USED' && toastError(m.orders_update_failed()),
	});
	const save = (
		order: Order,
		draft: OrderDraft | undefined,
		changes: Partial<OrderValues> = {},
		usedBy?: string | undefined,
	) => {
		const version = baseVersion(order, draft);
		const input = { id: order.id, ...draftValues(order, draft), ...changes, version, usedBy };
		update.mutate(input, {
			onSuccess: (saved) => dispatch({ type: 'saved', order: saved, sent: { ...draft?.changes, ...changes } }),
			onError: (error) => {
				const refusal = describeFailure(error);
				if (refusal.code === 'PAYMENT_USED') return onPaymentUsed({ order, draft, changes, failure: refusal });
				// After UNAUTHORIZED a sign-in dialog opens. The row has no error to correct.
				if (refusal.code !== 'UNAUTHORIZED') dispatch({ type: 'refused', order, failure: refusal });
			},
		});
	};
	return { save, isSaving: update.isPending };
}

/** Returns the values of a row and functions to edit it. */
export function useEditableOrderRow({ order, draft, dispatch, isChosen, onPaymentUsed }: OrderRowProps) {
	const { save, isSaving } = useSaveOrder({ dispatch, onPaymentUsed });
	const values = draftValues(order, draft);
	const changes = draft?.changes ?? {};
	const { failure } = draft ?? {};
	const isChanged = (field: EditableField) => changes[field] !== undefined;

	const isDirty = Object.keys(changes).length > 0;
	return {
		values,
		isDirty,
		marks: {
			'data-dirty': isDirty || undefined,
			'data-flagged': order.oddFields.length > 0 || order.repeats.length > 0 || undefined,
			'data-chosen': isChosen || undefined,
		},
		isSaving,
		isChanged,
		errorOf: (field: EditableField) => failure?.fields[field],
		/** Returns the server's value if another admin has changed the same field since the edit. */
		serverValueOf: (field: EditableField) =>
			failure?.code === 'ORDER_STALE' && isChanged(field) && order[field] !== changes[field] ? order[field] : undefined,
		/** The error message, unless it is shown beside a field. */
		error: failure?.status === 422 && Object.keys(failure.fields).length > 0 ? undefined : failure?.message,
		edit: (field: EditableField, value: string) => dispatch({ type: 'edited', order, field, value }),
		save: () => save(order, draft),
		reset: () => dispatch({ type: 'dropped', id: order.id }),
	};
}

function replaceOrder(data: InfiniteData<OrdersPage>, saved: Order): InfiniteData<OrdersPage> {
	const replace = (order: Order) => (order.id === saved.id ? saved : order);
	return { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(replace) })) };
}
