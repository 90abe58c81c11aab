import { hash, randomUUID } from 'node:crypto';
import { mkdir, open, opendir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { hashBuffer, hashFile } from '../hashing/hashing.ts';
import { type DiskSpace, ignoreMissingFile, requireSize, type Storage, type StoredBytes } from '../storage.ts';
import { type ClaimableStorage, markerKey } from '../storage-ownership.ts';
import { createDurableFiles, syncOrEmpty } from './durable-files.ts';
import { createFileHandleCache } from './file-handle-cache.ts';
import { FileStream } from './file-stream.ts';

const stagingFolderName = '.aside';

/** Stores files in a folder. A file is written to a staging folder, synced and renamed; then its folder is synced. */
export function createDiskStorage(root: string): Storage & ClaimableStorage {
	const stagingFolder = join(root, stagingFolderName);
	const fileHandles = createFileHandleCache();
	const fileOf = (key: string) => join(root, ...key.split('/'));

	async function moveIntoPlace(from: string, key: string): Promise<void> {
		const target = fileOf(key);
		await makeFolder(root, dirname(target));
		await rename(from, target);
		await syncFolder(dirname(target));
	}

	return {
		async put(key, bytes) {
			await mkdir(stagingFolder, { recursive: true });
			const staged = join(stagingFolder, randomUUID());
			try {
				await writeFile(staged, bytes, { flag: 'wx', flush: true });
				await moveIntoPlace(staged, key);
			} catch (error) {
				await rm(staged, { force: true });
				throw error;
			}
			const [sha256 = ''] = await hashBuffer(bytes, ['sha256']);
			return { sizeBytes: bytes.length, sha256 };
		},

		async putMany(objects) {
			const files = objects.map(({ key, bytes }) => ({ file: fileOf(key), bytes }));
			const creating = createDurableFiles(files, (folder) => makeFolder(root, folder));
			// While other threads create the files.
			const stored = objects.map(({ bytes }) => ({ sizeBytes: bytes.length, sha256: hash('sha256', bytes) }));
			return (await creating).map((result, index) =>
				result.status === 'rejected' ? result : { status: 'fulfilled', value: stored[index] as StoredBytes },
			);
		},

		async adopt(key, localFile, sizeBytes) {
			const [found] = (await Promise.all([hashFile(localFile), syncNewFile(localFile)]).catch(ignoreMissingFile)) ?? [];
			const stored = requireSize(found ?? (await hashFile(fileOf(key))), sizeBytes);
			if (found !== undefined) await moveIntoPlace(localFile, key);
			// An earlier attempt may have been interrupted between the move and the sync.
			else await syncFolder(dirname(fileOf(key)));
			return stored;
		},

		hash: (key) => hashFile(fileOf(key)),

		async read(key, range) {
			if (range !== undefined) return new FileStream(await fileHandles.acquire(fileOf(key)), range);
			const handle = await open(fileOf(key), 'r');
			return new FileStream({ handle, release: () => handle.close() });
		},

		localPath: fileOf,

		async findSize(key) {
			return (await stat(fileOf(key)).catch(ignoreMissingFile))?.size ?? null;
		},

		async remove(keys) {
			for (const key of keys) {
				await rm(fileOf(key), { force: true });
				await fileHandles.close(fileOf(key));
			}
		},

		async *list() {
			for await (const file of walk(root, root)) if (!file.key.startsWith(markerKey)) yield file;
		},

		async isEmpty() {
			for await (const { key } of walk(root, root)) if (!key.startsWith(`${stagingFolderName}/`)) return false;
			return true;
		},

		isAnswering: () => true,

		async check() {
			await mkdir(stagingFolder, { recursive: true });
			const probe = join(stagingFolder, `probe-${randomUUID()}`);
			await writeFile(probe, 'ok', { flag: 'wx' });
			await rm(probe);
		},

		async getDiskSpace() {
			return (await readDiskSpace(root).catch(ignoreMissingFile)) ?? createAndReadDiskSpace(root);
		},

		multipart: null,

		close: fileHandles.closeAll,
	};
}

export async function readDiskSpace(folder: string): Promise<DiskSpace> {
	const { bavail, blocks, bsize } = await statfs(folder);
	return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

async function createAndReadDiskSpace(folder: string): Promise<DiskSpace> {
	await mkdir(folder, { recursive: true });
	return readDiskSpace(folder);
}

async function* walk(root: string, folder: string): AsyncGenerator<{ key: string; modifiedAt: Date }> {
	const entries = await opendir(folder).catch(ignoreMissingFile);
	if (entries === null) return;
	for await (const entry of entries) {
		const file = join(folder, entry.name);
		if (entry.isDirectory()) {
			yield* walk(root, file);
			continue;
		}
		const status = await stat(file).catch(() => null);
		if (status !== null) yield { key: relative(root, file).split(sep).join('/'), modifiedAt: status.mtime };
	}
}

/** Creates a folder with its parents, and syncs the parents so that the folders survive a power failure. */
async function makeFolder(root: string, folder: string): Promise<void> {
	const firstCreated = await mkdir(folder, { recursive: true });
	if (firstCreated === undefined) return;
	for (let created = folder; created.length >= root.length; created = dirname(created))
		await syncFolder(dirname(created));
}

async function syncNewFile(file: string): Promise<void> {
	const handle = await open(file, 'r+');
	await syncOrEmpty(handle).finally(() => handle.close());
}

/** Syncs a folder, so that a file that was created or renamed in it survives a power failure. */
export async function syncFolder(folder: string): Promise<void> {
	const handle = await open(folder, 'r');
	await handle.sync().finally(() => handle.close());
}
