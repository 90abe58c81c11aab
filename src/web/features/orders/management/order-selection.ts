import { useState } from 'react';
import type { Order } from '#contract/orders/orders.ts';

/** Which orders are chosen, and the one chosen last, from which a range reaches. */
interface SelectionState {
	ids: ReadonlySet<string>;
	anchor: string | null;
	/** The list that they were chosen in. */
	listKey: string;
}

/** What is chosen on the desk. Another search begins with nothing chosen: nobody completes what they cannot see. */
export function useOrderSelection(listKey: string) {
	const [state, setState] = useState<SelectionState>({ ids: new Set(), anchor: null, listKey: listKey });
	const now: SelectionState = state.listKey === listKey ? state : { ids: new Set(), anchor: null, listKey: listKey };
	const set = (ids: Iterable<string>, anchor: string | null) =>
		setState({ ids: new Set(ids), anchor, listKey: listKey });
	return {
		ids: now.ids,
		/** One more or less; with `isRange` all from the one chosen last. */
		choose: (id: string, isRange: boolean, shown: readonly Order[]) => {
			const isMore = !now.ids.has(id);
			const ids = new Set(now.ids);
			for (const each of isRange ? idsBetween(shown, now.anchor, id) : [id]) {
				if (isMore) ids.add(each);
				else ids.delete(each);
			}
			set(ids, id);
		},
		/** All of these, or none at all where they are chosen already. */
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
