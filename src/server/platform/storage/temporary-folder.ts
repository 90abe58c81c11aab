import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deps } from '../deps.ts';
import { ignoreMissingFile } from './storage.ts';

/** Older folders are left over from killed processes, because no work takes this long. */
const maxAgeHours = 2;

/** Runs `work` with a new empty folder inside DATA_DIR, and deletes the folder afterwards. */
export async function withTemporaryFolder<T>(deps: Pick<Deps, 'config'>, work: (folder: string) => Promise<T>) {
	const root = temporaryRootOf(deps);
	await mkdir(root, { recursive: true, mode: 0o700 });
	const folder = await mkdtemp(join(root, 'work-'));
	try {
		return await work(folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

export async function removeStaleTemporaryFolders(deps: Pick<Deps, 'config' | 'clock'>): Promise<void> {
	const root = temporaryRootOf(deps);
	const deleteBefore = Date.now() - maxAgeHours * 3_600_000;
	for (const name of (await readdir(root).catch(ignoreMissingFile)) ?? []) {
		const modifiedAt = (await stat(join(root, name)).catch(ignoreMissingFile))?.mtimeMs ?? Number.POSITIVE_INFINITY;
		if (modifiedAt < deleteBefore) await rm(join(root, name), { recursive: true, force: true });
	}
}

function temporaryRootOf({ config }: Pick<Deps, 'config'>): string {
	return join(config.DATA_DIR, 'scratch');
}
