import { useState } from 'react';

interface SelectionState {
	/** Key of the list in which the users were selected. */
	listKey: string;
	/** All users who match the filters, also on other pages. */
	isAll: boolean;
	ids: ReadonlySet<string>;
}

/** The selected users, on all pages of a list. Other filters clear the selection, so that no hidden user is changed. */
export function useUserSelection(listKey: string) {
	const none: SelectionState = { listKey, isAll: false, ids: new Set() };
	const [state, setState] = useState(none);
	const { isAll, ids } = state.listKey === listKey ? state : none;
	const set = (selected: Iterable<string>) => setState({ listKey, isAll: false, ids: new Set(selected) });
	return {
		isAll,
		ids,
		isEmpty: !isAll && ids.size === 0,
		has: (id: string) => isAll || ids.has(id),
		/** Selects or deselects a user. After 'select all', the other users of the page stay selected. */
		toggle: (id: string, pageIds: readonly string[]) => {
			const selected = new Set(isAll ? pageIds : ids);
			if (!selected.delete(id)) selected.add(id);
			set(selected);
		},
		/** Selects all users of the page. If all are selected already, deselects them. */
		togglePage: (pageIds: readonly string[]) => {
			if (isAll) set([]);
			else if (pageIds.every((id) => ids.has(id))) set([...ids].filter((id) => !pageIds.includes(id)));
			else set([...ids, ...pageIds]);
		},
		selectAll: () => setState({ listKey, isAll: true, ids: new Set() }),
		clear: () => set([]),
	};
}

export type UserSelection = ReturnType<typeof useUserSelection>;
