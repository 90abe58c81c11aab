import type { Caller } from '../../../platform/actor.ts';
import type { Deps } from '../../../platform/deps.ts';
import { fileAccess } from '../tree/file-access.ts';
import { listChildren } from '../tree/nodes.ts';
import { createUniqueNames } from './zip-names.ts';

/** A requested node, or one below it. */
export interface ZipNode {
	id: string;
	kind: 'folder' | 'file';
	name: string;
	created_at: string;
}

/** An entry of the ZIP; a folder comes before its contents. */
export interface ZipEntry {
	node: ZipNode;
	/** Path in the ZIP, with '/' between the names. */
	path: string;
}

const batchSize = 500;

/** Yields nodes and all below them that the caller may read, depth first; what is excluded is not even named. */
export async function* listZipEntries(
	deps: Deps,
	caller: Caller,
	nodes: readonly ZipNode[],
	parentPath = '',
): AsyncGenerator<ZipEntry> {
	yield* listEntriesInFolder(deps, caller, nodes, parentPath, createUniqueNames());
}

async function* listEntriesInFolder(
	deps: Deps,
	caller: Caller,
	nodes: readonly ZipNode[],
	parentPath: string,
	uniqueName: ReturnType<typeof createUniqueNames>,
): AsyncGenerator<ZipEntry> {
	for (const node of nodes) {
		const path = `${parentPath}${uniqueName(node.name, node.kind)}`;
		yield { node, path };
		if (node.kind === 'file') continue;
		const uniqueNameInside = createUniqueNames();
		for (let after = ''; ; ) {
			const children = await listChildren(deps.db, node.id, after, batchSize);
			yield* listEntriesInFolder(
				deps,
				caller,
				await fileAccess().filterReadable(deps.db, caller, children),
				`${path}/`,
				uniqueNameInside,
			);
			const last = children.at(-1);
			if (last === undefined || children.length < batchSize) break;
			after = last.name_key;
		}
	}
}
