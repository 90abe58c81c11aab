import type { Node } from '#contract/files/files.ts';

/** What is selected, and from where a range reaches. */
export interface Selection {
	chosen: ReadonlyMap<string, Node>;
	/** Place in the list, folders first. */
	anchor: number | null;
}

export const emptySelection: Selection = { chosen: new Map(), anchor: null };

/** Finds the entry at a place; undefined where it is not loaded. */
type FindNode = (index: number) => Node | undefined;

/** This entry alone. */
export function selectOnly(index: number, nodeAt: FindNode): Selection {
	const node = nodeAt(index);
	return node === undefined ? emptySelection : { chosen: new Map([[node.id, node]]), anchor: index };
}

/** This entry more, or less. */
export function toggleNode({ chosen, anchor }: Selection, index: number, nodeAt: FindNode): Selection {
	const node = nodeAt(index);
	if (node === undefined) return { chosen, anchor };
	const next = new Map(chosen);
	if (!next.delete(node.id)) next.set(node.id, node);
	return { chosen: next, anchor: index };
}

/** Everything from the anchor to this entry, in place of what was selected. */
export function selectTo({ anchor }: Selection, index: number, nodeAt: FindNode): Selection {
	if (anchor === null) return selectOnly(index, nodeAt);
	const chosen = new Map<string, Node>();
	for (let at = Math.min(anchor, index); at <= Math.max(anchor, index); at += 1) {
		const node = nodeAt(at);
		if (node !== undefined) chosen.set(node.id, node);
	}
	return { chosen, anchor };
}

/** All of these. */
export function selectAll(nodes: Iterable<Node>): Selection {
	const chosen = new Map<string, Node>();
	for (const node of nodes) chosen.set(node.id, node);
	return { chosen, anchor: 0 };
}

/** Without those that are gone. */
export function deselect(selection: Selection, ids: Iterable<string>): Selection {
	const chosen = new Map(selection.chosen);
	for (const id of ids) chosen.delete(id);
	return { chosen, anchor: chosen.size === 0 ? null : selection.anchor };
}
