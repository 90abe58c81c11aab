import { useState } from 'react';
import type { Order } from '#contract/orders/orders.ts';

/** The selected orders, and the one selected last, at which a range begins. */
interface SelectionState {
	ids: ReadonlySet<string>;
	anchor: string | null;
	/** Key of the list in which they were selected. */
	listKey: string;
}

/** The selected orders. Another search clears the selection: hidden orders must not be completed. */
export function useOrderSelection(listKey: string) {
	const none: SelectionState = { ids: new Set(), anchor: null, listKey };
	const [state, setState] = useState(none);
	const now = state.listKey === listKey ? state : none;
	const set = (ids: Iterable<string>, anchor: string | null) => setState({ ids: new Set(ids), anchor, listKey });
	return {
		ids: now.ids,
		/** Toggles an order; with `isRange`, all orders from the one selected last. */
		choose: (id: string, isRange: boolean, shown: readonly Order[]) => {
			const isMore = !now.ids.has(id);
			const ids = new Set(now.ids);
			for (const each of isRange ? idsBetween(shown, now.anchor, id) : [id]) {
				if (isMore) ids.add(each);
				else ids.delete(each);
			}
			set(ids, id);
		},
		/** Selects all of these orders, or clears the selection if all are selected already. */
		chooseAll: (shown: readonly Order[]) =>
			set(shown.every(({ id }) => now.ids.has(id)) ? [] : [...now.ids, ...shown.map(({ id }) => id)], null),
		drop: (gone: Iterable<string>) => {
			const ids = new Set(now.ids);
			for (const id of gone) ids.delete(id);
			set(ids, null);
		},
		clear: () => set([], null),
	};
}

export type OrderSelection = ReturnType<typeof useOrderSelection>;

function idsBetween(shown: readonly Order[], anchor: string | null, id: string): string[] {
	const indexes = [anchor, id].map((each) => shown.findIndex((order) => order.id === each));
	if (indexes.includes(-1)) return [id];
	return shown.slice(Math.min(...indexes), Math.max(...indexes) + 1).map((order) => order.id);
}
