import { useState } from 'react';
import type { Order } from '#contract/orders/orders.ts';

/** `anchor`: the last order that was selected or deselected, where a range begins. */
interface SelectionState {
	ids: ReadonlySet<string>;
	anchor: string | null;
	/** Key of the list in which the orders were selected. */
	listKey: string;
}

/** A new search clears the selection, so that no hidden order is completed. */
export function useOrderSelection(listKey: string) {
	const none: SelectionState = { ids: new Set(), anchor: null, listKey };
	const [state, setState] = useState(none);
	const current = state.listKey === listKey ? state : none;
	const set = (ids: Iterable<string>, anchor: string | null) => setState({ ids: new Set(ids), anchor, listKey });
	return {
		ids: current.ids,
		/** Selects or deselects an order; with `isRange`, also all orders between the anchor and this order. */
		choose: (id: string, isRange: boolean, shown: readonly Order[]) => {
			const isSelecting = !current.ids.has(id);
			const ids = new Set(current.ids);
			for (const orderId of isRange ? idsBetween(shown, current.anchor, id) : [id]) {
				if (isSelecting) ids.add(orderId);
				else ids.delete(orderId);
			}
			set(ids, id);
		},
		/** Selects all shown orders. If all are selected already, clears the selection. */
		chooseAll: (shown: readonly Order[]) =>
			set(shown.every(({ id }) => current.ids.has(id)) ? [] : [...current.ids, ...shown.map(({ id }) => id)], null),
		drop: (removedIds: Iterable<string>) => {
			const ids = new Set(current.ids);
			for (const id of removedIds) ids.delete(id);
			set(ids, null);
		},
		clear: () => set([], null),
	};
}

export type OrderSelection = ReturnType<typeof useOrderSelection>;

function idsBetween(shown: readonly Order[], anchor: string | null, id: string): string[] {
	const indexes = [anchor, id].map((endId) => shown.findIndex((order) => order.id === endId));
	if (indexes.includes(-1)) return [id];
	return shown.slice(Math.min(...indexes), Math.max(...indexes) + 1).map((order) => order.id);
}
