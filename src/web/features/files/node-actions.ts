import type { Node } from '#contract/files/files.ts';

/** What can be done with the entries of a folder; `canWrite` is the server's word, never derived from a role. */
export interface NodeActions {
	canWrite: boolean;
	/** Previews or downloads a file. */
	open: (node: Node) => void;
	rename: (folder: Node) => void;
	remove: (node: Node) => void;
}
