import { hash, randomUUID } from 'node:crypto';
import { mkdir, open, opendir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { hashBuffer, hashFile } from '../hashing/hashing.ts';
import { type DiskSpace, ignoreMissingFile, type Storage } from '../storage.ts';
import { type ClaimableStorage, markerKey } from '../storage-ownership.ts';
import { createDurableFiles, syncOrEmpty } from './durable-files.ts';
import { FileStream } from './file-stream.ts';
import { createOpenFiles } from './open-files.ts';

const stagingFolderName = '.aside';

/** Stores files in a folder. A file is written to a staging folder, synced and renamed; then its folder is synced. */
export function createDiskStorage(root: string): Storage & ClaimableStorage {
	const stagingFolder = join(root, stagingFolderName);
	const openFiles = createOpenFiles();
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
			const results = await createDurableFiles(files, (folder) => makeFolder(root, folder));
			return results.map((result, index) => {
				if (result.status === 'rejected') return result;
				const bytes = objects[index]?.bytes ?? Buffer.alloc(0);
				return { status: 'fulfilled', value: { sizeBytes: bytes.length, sha256: hash('sha256', bytes) } };
			});
		},

		async adopt(key, localFile) {
			const [stored] =
				(await Promise.all([hashFile(localFile), syncNewFile(localFile)]).catch(ignoreMissingFile)) ?? [];
			if (stored === undefined) return hashFile(fileOf(key));
			await moveIntoPlace(localFile, key);
			return stored;
		},

		hash: (key) => hashFile(fileOf(key)),

		async read(key, range) {
			if (range !== undefined) return new FileStream(await openFiles.lend(fileOf(key)), range);
			const handle = await open(fileOf(key), 'r');
			return new FileStream({ handle, release: () => handle.close() });
		},

		async findSize(key) {
			return (await stat(fileOf(key)).catch(ignoreMissingFile))?.size ?? null;
		},

		async remove(keys) {
			for (const key of keys) {
				await rm(fileOf(key), { force: true });
				await openFiles.close(fileOf(key));
			}
		},

		async *list() {
			for await (const file of walk(root, root)) if (file.key !== markerKey) yield file;
		},

		async isEmpty() {
			for await (const { key } of walk(root, root)) if (!key.startsWith(`${stagingFolderName}/`)) return false;
			return true;
		},

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

		close: openFiles.closeAll,
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
