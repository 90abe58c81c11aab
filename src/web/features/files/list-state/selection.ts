import type { Node } from '#contract/files/files.ts';

/** The selected nodes by id, and the index at which a range starts. */
export interface Selection {
	chosen: ReadonlyMap<string, Node>;
	/** Index in the list, folders first. */
	anchor: number | null;
}

export const emptySelection: Selection = { chosen: new Map(), anchor: null };

/** Returns the node at an index; undefined where it is not loaded. */
type FindNode = (index: number) => Node | undefined;

/** Selects only the node at `index`. */
export function selectOnly(index: number, nodeAt: FindNode): Selection {
	const node = nodeAt(index);
	return node === undefined ? emptySelection : { chosen: new Map([[node.id, node]]), anchor: index };
}

/** Adds the node at `index` to the selection, or removes it. */
export function toggleNode({ chosen, anchor }: Selection, index: number, nodeAt: FindNode): Selection {
	const node = nodeAt(index);
	if (node === undefined) return { chosen, anchor };
	const next = new Map(chosen);
	if (!next.delete(node.id)) next.set(node.id, node);
	return { chosen: next, anchor: index };
}

/** Selects everything from the anchor to `index` instead of the previous selection. */
export function selectTo({ anchor }: Selection, index: number, nodeAt: FindNode): Selection {
	if (anchor === null) return selectOnly(index, nodeAt);
	const chosen = new Map<string, Node>();
	for (let at = Math.min(anchor, index); at <= Math.max(anchor, index); at += 1) {
		const node = nodeAt(at);
		if (node !== undefined) chosen.set(node.id, node);
	}
	return { chosen, anchor };
}

/** Selects all given nodes. */
export function selectAll(nodes: Iterable<Node>): Selection {
	const chosen = new Map<string, Node>();
	for (const node of nodes) chosen.set(node.id, node);
	return { chosen, anchor: 0 };
}

/** Removes nodes from the selection. */
export function deselect(selection: Selection, ids: Iterable<string>): Selection {
	const chosen = new Map(selection.chosen);
	for (const id of ids) chosen.delete(id);
	return { chosen, anchor: chosen.size === 0 ? null : selection.anchor };
}
