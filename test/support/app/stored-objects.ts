import type { Deps } from '#server/platform/deps.ts';

/** All stored keys below a folder of the storage, in no order. */
export async function listStoredKeys(deps: Deps, folder = ''): Promise<string[]> {
	const keys: string[] = [];
	for await (const { key } of deps.storage.list()) if (key.startsWith(folder)) keys.push(key);
	return keys;
}

const agedKeys = new WeakMap<Deps['storage'], Set<string>>();

/** Makes stored bytes look as old as the clock's day before, wherever they are: a store does not let itself be told. */
export function makeStoredObjectOld({ storage, clock }: Deps, key: string): void {
	const keys = agedKeys.get(storage) ?? new Set<string>();
	if (!agedKeys.has(storage)) {
		agedKeys.set(storage, keys);
		const list = storage.list.bind(storage);
		storage.list = async function* () {
			for await (const found of list()) {
				const then = new Date(clock.now().getTime() - 24 * 3600 * 1000);
				yield keys.has(found.key) ? { ...found, modifiedAt: then } : found;
			}
		};
	}
	keys.add(key);
}

/** The key that a file's bytes lie under. */
export async function storageKeyOfFile({ db }: Deps, fileId: string): Promise<string> {
	const row = await db
		.selectFrom('nodes')
		.innerJoin('blobs', 'blobs.id', 'nodes.blob_id')
		.select('blobs.storage_key')
		.where('nodes.id', '=', fileId)
		.executeTakeFirstOrThrow();
	return row.storage_key;
}
