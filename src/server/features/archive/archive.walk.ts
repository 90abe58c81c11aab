import type { Caller } from '../../platform/actor.ts';
import type { Deps } from '../../platform/deps.ts';
import { keepReadable, listChildren } from '../files/files.service.ts';
import { namesOfFolder } from './archive.names.ts';

/** What is asked for, and what lies below. */
export interface ArchiveNode {
	id: string;
	kind: 'folder' | 'file';
	name: string;
	created_at: string;
}

/** Something to be put into the archive; a folder stands before what lies in it. */
export interface ArchiveItem {
	node: ArchiveNode;
	/** In the archive, with '/' between the names. */
	path: string;
}

const rowsAtOnce = 500;

/**
 * These nodes with everything below them that the caller may read, depth first, never more than a page of rows at a time in
 * memory. What is left out for the caller is not even named.
 */
export async function* walk(
	deps: Deps,
	caller: Caller,
	nodes: readonly ArchiveNode[],
	above = '',
): AsyncGenerator<ArchiveItem> {
	yield* walkSome(deps, caller, nodes, above, namesOfFolder());
}

async function* walkSome(
	deps: Deps,
	caller: Caller,
	nodes: readonly ArchiveNode[],
	above: string,
	giveName: ReturnType<typeof namesOfFolder>,
): AsyncGenerator<ArchiveItem> {
	for (const node of nodes) {
		const path = `${above}${giveName(node.name, node.kind)}`;
		yield { node, path };
		if (node.kind === 'file') continue;
		const giveInside = namesOfFolder();
		for (let after = ''; ; ) {
			const children = await listChildren(deps.db, node.id, after, rowsAtOnce);
			yield* walkSome(deps, caller, await keepReadable(deps.db, caller, children), `${path}/`, giveInside);
			const last = children.at(-1);
			if (last === undefined || children.length < rowsAtOnce) break;
			after = last.name_key;
		}
	}
}
