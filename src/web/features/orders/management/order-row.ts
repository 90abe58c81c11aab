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

/** What a row of the desk is given, as a table row and as a card alike. */
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

/** What the list gives to its rows, as a table and as cards alike. */
export interface OrderRowsProps extends Pick<OrderRowProps, 'dispatch' | 'onShowProofs' | 'onWriteNote' | 'onDelete'> {
	orders: Order[];
	drafts: OrderDrafts;
	selection: OrderSelection;
}

/** What each row is given. */
export function useOrderRows({ orders, drafts, selection, ...actions }: OrderRowsProps): OrderRowProps[] {
	const onChoose = useStableOnChoose(selection, orders);
	return orders.map((order) => {
		return { ...actions, order, draft: drafts[order.id], isChosen: selection.ids.has(order.id), onChoose };
	});
}

/** Choosing that stays one function, so that a choice draws its own row alone anew. */
function useStableOnChoose(selection: OrderSelection, orders: readonly Order[]): OrderRowProps['onChoose'] {
	const latest = useRef({ selection, orders });
	useEffect(() => {
		latest.current = { selection, orders };
	});
	return useCallback((order, isRange) => {
		latest.current.selection.choose(order.id, isRange, latest.current.orders);
	}, []);
}

/** Whether the owner should look twice. */
export function hasWarnings(order: Order): boolean {
	return order.oddFields.length > 0 || order.repeats.length > 0;
}

/** A row at work: what it shows, what is marked, how it is saved. */
export interface EditableOrderRow {
	values: OrderValues;
	isDirty: boolean;
	isSaving: boolean;
	isChanged: (field: EditableField) => boolean;
	errorOf: (field: EditableField) => string | undefined;
	/** What stands on the server, for a changed field of a stale row. */
	serverValueOf: (field: EditableField) => string | undefined;
	/** The refusal as a whole, where it belongs to no field. */
	error: string | undefined;
	edit: (field: EditableField, value: string) => void;
	save: () => void;
	/** Forgets what was typed. */
	reset: () => void;
}

/** Ties a row to its draft. Saving shows the specified toasts; refusals stay in the draft. */
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
					// Whoever signs in again in its place has nothing to correct.
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
