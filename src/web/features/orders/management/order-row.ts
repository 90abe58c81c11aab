import { type Dispatch, useCallback, useEffect, useRef } from 'react';
import type { Order } from '#contract/orders/orders.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { useUpdateOrder } from '../orders-api.ts';
import type { DraftAction, EditableField, OrderDraft, OrderDrafts } from './order-drafts.ts';
import { baseVersion, draftValues } from './order-drafts.ts';
import type { OrderSelection } from './order-selection.ts';

/** Props of a row of the orders page, as a table row and as a card. */
export interface OrderRowProps {
	order: Order;
	draft: OrderDraft | undefined;
	dispatch: Dispatch<DraftAction>;
	onShowProofs: (order: Order) => void;
	onWriteNote: (order: Order) => void;
	onDelete: (order: Order) => void;
	isChosen: boolean;
	onChoose: (order: Order, isRange: boolean) => void;
}

/** Props of the list of rows, as a table and as cards. */
export interface OrderRowsProps extends Pick<OrderRowProps, 'dispatch' | 'onShowProofs' | 'onWriteNote' | 'onDelete'> {
	orders: Order[];
	drafts: OrderDrafts;
	selection: OrderSelection;
}

/** Returns the props of each row. */
export function useOrderRows({ orders, drafts, selection, ...actions }: OrderRowsProps): OrderRowProps[] {
	const onChoose = useStableOnChoose(selection, orders);
	return orders.map((order) => {
		return { ...actions, order, draft: drafts[order.id], isChosen: selection.ids.has(order.id), onChoose };
	});
}

/** A stable selection callback, so that selecting a row renders only that row. */
function useStableOnChoose(selection: OrderSelection, orders: readonly Order[]): OrderRowProps['onChoose'] {
	const latest = useRef({ selection, orders });
	useEffect(() => {
		latest.current = { selection, orders };
	});
	return useCallback((order, isRange) => {
		latest.current.selection.choose(order.id, isRange, latest.current.orders);
	}, []);
}

export type EditableOrderRow = ReturnType<typeof useEditableOrderRow>;

/** Connects a row to its draft. Saving shows the specified toasts; errors stay in the draft. */
export function useEditableOrderRow({ order, draft, dispatch, isChosen }: OrderRowProps) {
	const update = useUpdateOrder();
	const values = draftValues(order, draft);
	const changes = draft?.changes ?? {};
	const { failure } = draft ?? {};
	const isChanged = (field: EditableField) => changes[field] !== undefined;

	const save = () => {
		update.mutate(
			{ id: order.id, ...values, version: baseVersion(order, draft) },
			{
				onSuccess: (saved) => dispatch({ type: 'saved', order: saved, sent: changes }),
				onError: (error) => {
					const refusal = describeFailure(error);
					// After UNAUTHORIZED the user signs in on the same screen; the row has no error to correct.
					if (refusal.code !== 'UNAUTHORIZED') dispatch({ type: 'refused', order, failure: refusal });
				},
			},
		);
	};

	const isDirty = Object.keys(changes).length > 0;
	return {
		values,
		isDirty,
		/** Attributes of the row's element, for its styles. */
		marks: {
			'data-dirty': isDirty || undefined,
			'data-flagged': order.oddFields.length > 0 || order.repeats.length > 0 || undefined,
			'data-chosen': isChosen || undefined,
		},
		isSaving: update.isPending,
		isChanged,
		errorOf: (field: EditableField) => failure?.fields[field],
		/** The server's value of a changed field in a stale row. */
		serverValueOf: (field: EditableField) =>
			failure?.code === 'ORDER_STALE' && isChanged(field) && order[field] !== changes[field] ? order[field] : undefined,
		/** The error message, if it belongs to no field. */
		error: failure?.status === 422 && Object.keys(failure.fields).length > 0 ? undefined : failure?.message,
		edit: (field: EditableField, value: string) => dispatch({ type: 'edited', order, field, value }),
		save,
		/** Discards the unsaved changes. */
		reset: () => dispatch({ type: 'dropped', id: order.id }),
	};
}
