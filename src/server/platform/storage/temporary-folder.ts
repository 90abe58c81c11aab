import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deps } from '../deps.ts';

/** No work takes this long. */
const maxAgeHours = 2;

/** Runs work in a new empty folder beside the data, and deletes the folder afterwards. */
export async function withTemporaryFolder<T>(
	deps: Pick<Deps, 'config'>,
	work: (folder: string) => Promise<T>,
): Promise<T> {
	const all = temporaryRootOf(deps);
	await mkdir(all, { recursive: true, mode: 0o700 });
	const folder = await mkdtemp(join(all, 'work-'));
	try {
		return await work(folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** Removes the temporary folders of killed processes. */
export async function removeStaleTemporaryFolders(deps: Pick<Deps, 'config' | 'clock'>): Promise<void> {
	const all = temporaryRootOf(deps);
	const before = Date.now() - maxAgeHours * 3_600_000;
	for (const name of await readdir(all).catch(() => [])) {
		const made = (await stat(join(all, name)).catch(() => null))?.mtimeMs ?? Number.POSITIVE_INFINITY;
		if (made < before) await rm(join(all, name), { recursive: true, force: true });
	}
}

function temporaryRootOf({ config }: Pick<Deps, 'config'>): string {
	return join(config.DATA_DIR, 'scratch');
}
