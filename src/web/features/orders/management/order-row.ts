import { type Dispatch, useCallback, useEffect, useRef } from 'react';
import type { Order } from '#contract/orders/orders.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { useUpdateOrder } from '../orders-api.ts';
import {
	baseVersion,
	type DraftAction,
	draftValues,
	type EditableField,
	type OrderDraft,
	type OrderDrafts,
	type OrderValues,
} from './order-drafts.ts';
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

/** Whether the order has warnings for the owner. */
export function hasWarnings(order: Order): boolean {
	return order.oddFields.length > 0 || order.repeats.length > 0;
}

/** An editable row: its values, its marks, and how it is saved. */
export interface EditableOrderRow {
	values: OrderValues;
	isDirty: boolean;
	isSaving: boolean;
	isChanged: (field: EditableField) => boolean;
	errorOf: (field: EditableField) => string | undefined;
	/** The server's value of a changed field in a stale row. */
	serverValueOf: (field: EditableField) => string | undefined;
	/** The error message, if it belongs to no field. */
	error: string | undefined;
	edit: (field: EditableField, value: string) => void;
	save: () => void;
	/** Discards the unsaved changes. */
	reset: () => void;
}

/** Connects a row to its draft. Saving shows the specified toasts; errors stay in the draft. */
export function useEditableOrderRow({ order, draft, dispatch }: OrderRowProps): EditableOrderRow {
	const update = useUpdateOrder();
	const values = draftValues(order, draft);
	const changes = draft?.changes ?? {};
	const isStale = draft?.failure?.code === 'ORDER_STALE';
	const isChanged = (field: EditableField) => changes[field] !== undefined;

	const save = () => {
		update.mutate(
			{ id: order.id, ...values, version: baseVersion(order, draft) },
			{
				onSuccess: (saved) => dispatch({ type: 'saved', order: saved, sent: changes }),
				onError: (error) => {
					const failure = describeFailure(error);
					// After UNAUTHORIZED the user signs in on the same screen; the row has no error to correct.
					if (failure.code !== 'UNAUTHORIZED') dispatch({ type: 'refused', order, failure });
				},
			},
		);
	};

	return {
		values,
		isDirty: Object.keys(changes).length > 0,
		isSaving: update.isPending,
		isChanged,
		errorOf: (field) => draft?.failure?.fields[field],
		serverValueOf: (field) =>
			isStale && isChanged(field) && order[field] !== changes[field] ? order[field] : undefined,
		error:
			draft?.failure !== undefined && (draft.failure.status !== 422 || Object.keys(draft.failure.fields).length === 0)
				? draft.failure.message
				: undefined,
		edit: (field, value) => dispatch({ type: 'edited', order, field, value }),
		save,
		reset: () => dispatch({ type: 'dropped', id: order.id }),
	};
}
