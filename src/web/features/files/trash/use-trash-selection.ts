import { useState } from 'react';
import type { TrashedNode } from '#contract/files/files.ts';
import { fetchWholeTrash } from './trash-api.ts';

type SelectedNodes = ReadonlyMap<string, TrashedNode>;

/** The selected items of a trash, on all pages. Another search clears the selection. */
export function useTrashSelection(owner: string, q: string) {
	const [state, setState] = useState<{ chosen: SelectedNodes; of: string }>({ chosen: new Map(), of: q });
	const [isLoadingAll, setLoadingAll] = useState(false);
	const chosen: SelectedNodes = state.of === q ? state.chosen : new Map();
	const change = (step: (next: Map<string, TrashedNode>) => void) =>
		setState((before) => {
			const next = new Map(before.of === q ? before.chosen : []);
			step(next);
			return { chosen: next, of: q };
		});
	return {
		chosen,
		isLoadingAll,
		choose: (node: TrashedNode, isChosen: boolean) =>
			change((next) => (isChosen ? next.set(node.id, node) : next.delete(node.id))),
		drop: (ids: Iterable<string>) =>
			change((next) => {
				for (const id of ids) next.delete(id);
			}),
		clear: () => change((next) => next.clear()),
		/** Selects all items, including pages not shown yet; only `shown` if the rest cannot be loaded. */
		all: async (shown: readonly TrashedNode[], total: number) => {
			let nodes = shown;
			if (shown.length < total) {
				setLoadingAll(true);
				nodes = await fetchWholeTrash(owner, q).catch(() => shown);
				setLoadingAll(false);
			}
			change((next) => {
				for (const node of nodes) next.set(node.id, node);
			});
		},
	};
}

export type TrashSelection = ReturnType<typeof useTrashSelection>;
