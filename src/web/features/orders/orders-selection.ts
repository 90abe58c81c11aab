import { useState } from 'react';
import type { Order } from '#contract/orders/orders.ts';

/** Which orders are chosen, and the one chosen last, from which a range reaches. */
interface Chosen {
	ids: ReadonlySet<string>;
	anchor: string | null;
	/** The list that they were chosen in. */
	of: string;
}

/** What is chosen on the desk. Another search begins with nothing chosen: nobody completes what they cannot see. */
export function useOrderSelection(listKey: string) {
	const [state, setState] = useState<Chosen>({ ids: new Set(), anchor: null, of: listKey });
	const now: Chosen = state.of === listKey ? state : { ids: new Set(), anchor: null, of: listKey };
	const set = (ids: Iterable<string>, anchor: string | null) => setState({ ids: new Set(ids), anchor, of: listKey });
	return {
		ids: now.ids,
		/** One more or less; with `isRange` all from the one chosen last. */
		choose: (id: string, isRange: boolean, shown: readonly Order[]) => {
			const isMore = !now.ids.has(id);
			const ids = new Set(now.ids);
			for (const each of isRange ? between(shown, now.anchor, id) : [id]) {
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

function between(shown: readonly Order[], anchor: string | null, id: string): string[] {
	const places = [anchor, id].map((each) => shown.findIndex((order) => order.id === each));
	if (places.includes(-1)) return [id];
	return shown.slice(Math.min(...places), Math.max(...places) + 1).map((order) => order.id);
}
