import type { ReactNode } from 'react';
import type { Node } from '#contract/files/files.ts';

/**
 * What can be done with the entries of a folder; `canWrite` is the server's word, never derived from a role. The same
 * object for as long as that word stands, so that rows are not drawn anew.
 */
export interface NodeActions {
	canWrite: boolean;
	/** Previews or downloads a file. */
	open: (node: Node) => void;
	rename: (node: Node) => void;
	move: (nodes: Node[]) => void;
	copy: (nodes: Node[]) => void;
	remove: (nodes: Node[]) => void;
	/** Undefined where nothing is shared from. */
	share: ((nodes: Node[]) => void) | undefined;
	/** What stands beside a name: whether it is shared. */
	mark: ((node: Node) => ReactNode) | undefined;
	/** Takes the entry at a place into the selection or out of it; with `isRange`, everything up to it. */
	choose: (index: number, isRange: boolean) => void;
}
