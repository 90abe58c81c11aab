import { createHash } from 'node:crypto';
import type { Deps } from '#server/platform/deps.ts';
import type { Storage } from '#server/platform/storage/storage.ts';
import { getRow, type RowFilter } from './database-rows.ts';

/** Lists the stored keys below a folder of the storage, including objects without a row. */
export async function listStoredKeys({ storage }: { storage: Pick<Storage, 'list'> }, folder = ''): Promise<string[]> {
	const keys: string[] = [];
	for await (const { key } of storage.list()) if (key.startsWith(folder)) keys.push(key);
	return keys.sort();
}

const agedKeys = new WeakMap<Deps['storage'], Set<string>>();

/** Makes the storage list an object as one day old. The date itself cannot be changed on S3. */
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

export async function getBlobOfFile(deps: Deps, file: RowFilter<'nodes'>) {
	return getRow(deps, 'blobs', { id: (await getRow(deps, 'nodes', file)).blob_id ?? '' });
}

export async function storageKeyOfFile(deps: Deps, id: string): Promise<string> {
	return (await getBlobOfFile(deps, { id })).storage_key;
}

export function sha256Of(bytes: Buffer): string {
	return createHash('sha256').update(bytes).digest('hex');
}
