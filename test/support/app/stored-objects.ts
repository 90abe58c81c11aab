import type { Deps } from '#server/platform/deps.ts';

/** Lists all stored keys below a folder of the storage, in no particular order. */
export async function listStoredKeys(deps: Deps, folder = ''): Promise<string[]> {
	const keys: string[] = [];
	for await (const { key } of deps.storage.list()) if (key.startsWith(folder)) keys.push(key);
	return keys;
}

const agedKeys = new WeakMap<Deps['storage'], Set<string>>();

/** Makes the storage list an object as one day old, because the date of an object on S3 cannot be set. */
export function makeStoredObjectOld({ storage, clock }: Deps, key: string): void {
	const keys = agedKeys.get(storage) ?? new Set<string>();
	if (!agedKeys.has(storage)) {
		agedKeys.set(storage, keys);
		const list = storage.list.bind(storage);
		storage.list = async function* () {
			for await (const object of list()) {
				const yesterday = new Date(clock.now().getTime() - 24 * 3600 * 1000);
				yield keys.has(object.key) ? { ...object, modifiedAt: yesterday } : object;
			}
		};
	}
	keys.add(key);
}

/** Returns the storage key of a file's bytes. */
export async function storageKeyOfFile({ db }: Deps, fileId: string): Promise<string> {
	const row = await db
		.selectFrom('nodes')
		.innerJoin('blobs', 'blobs.id', 'nodes.blob_id')
		.select('blobs.storage_key')
		.where('nodes.id', '=', fileId)
		.executeTakeFirstOrThrow();
	return row.storage_key;
}
