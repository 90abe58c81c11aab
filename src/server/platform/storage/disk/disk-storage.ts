import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { type DiskSpace, hashBytes, ignoreMissingFile, type Storage } from '../storage.ts';
import { type ClaimableStorage, markerKey } from '../storage-ownership.ts';

const stagingFolderName = '.aside';

/** Stores files in a folder. A file is written to a staging folder, synced and renamed; then its folder is synced. */
export function createDiskStorage(root: string): Storage & ClaimableStorage {
	const stagingFolder = join(root, stagingFolderName);
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
			return { sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
		},

		async adopt(key, localFile) {
			const hasLocalFile = await syncFile(localFile).then(() => true, ignoreMissingFile);
			if (hasLocalFile) await moveIntoPlace(localFile, key);
			return hashBytes(createReadStream(fileOf(key), { highWaterMark: 1 << 20 }));
		},

		async read(key, range) {
			const handle = await open(fileOf(key), 'r');
			return handle.createReadStream(range === undefined ? {} : { start: range.start, end: range.end });
		},

		async findSize(key) {
			return (await stat(fileOf(key)).catch(ignoreMissingFile))?.size ?? null;
		},

		async remove(keys) {
			for (const key of keys) await rm(fileOf(key), { force: true });
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
			await mkdir(root, { recursive: true });
			return readDiskSpace(root);
		},

		multipart: null,

		async close() {},
	};
}

export async function readDiskSpace(folder: string): Promise<DiskSpace> {
	const { bavail, blocks, bsize } = await statfs(folder);
	return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
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

async function syncFile(file: string, flags = 'r+'): Promise<void> {
	const handle = await open(file, flags);
	await handle.sync().finally(() => handle.close());
}

/** Syncs a folder, so that a file that was created or renamed in it survives a power failure. */
export function syncFolder(folder: string): Promise<void> {
	return syncFile(folder, 'r');
}
