import type { Caller } from '../../../platform/actor.ts';
import { readInSteps } from '../../../platform/cursor.ts';
import type { Deps } from '../../../platform/deps.ts';
import { fileAccess } from '../tree/file-access.ts';
import { listChildren } from '../tree/nodes.ts';
import { createUniqueNames } from './zip-names.ts';

export interface ZipNode {
	id: string;
	kind: 'folder' | 'file';
	name: string;
	created_at: string;
}

export interface ZipEntry {
	node: ZipNode;
	path: string;
}

const batchSize = 500;

/** Yields nodes and everything below them that the caller may read, depth first; excluded nodes are left out. */
export async function* listZipEntries(
	deps: Deps,
	caller: Caller,
	nodes: readonly ZipNode[],
	parentPath = '',
	uniqueName = createUniqueNames(),
): AsyncGenerator<ZipEntry> {
	for (const node of nodes) {
		const path = `${parentPath}${uniqueName(node.name, node.kind)}`;
		yield { node, path };
		if (node.kind === 'file') continue;
		const uniqueNameInside = createUniqueNames();
		const read = (after: string) => listChildren(deps.db, node.id, after, batchSize);
		for await (const children of readInSteps('', batchSize, read, ({ name_key }) => name_key)) {
			const readable = await fileAccess().filterReadable(deps.db, caller, children);
			yield* listZipEntries(deps, caller, readable, `${path}/`, uniqueNameInside);
		}
	}
}
