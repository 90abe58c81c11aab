import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { hashBytes, ignoreMissingFile, type Storage } from '../storage.ts';
import { type ClaimableStorage, markerKey } from '../storage-ownership.ts';
import { readDiskSpace } from './disk-space.ts';

const stagingFolderName = '.aside';

/** Stores files below one folder. A file is written elsewhere, synced, renamed into place, and its folder synced. */
export function createDiskStorage(root: string): Storage & ClaimableStorage {
	const asideFolder = join(root, stagingFolderName);
	const fileOf = (key: string) => join(root, ...key.split('/'));

	async function moveIntoPlace(from: string, key: string): Promise<void> {
		const target = fileOf(key);
		await makeFolder(root, dirname(target));
		await rename(from, target);
		await syncFolder(dirname(target));
	}

	return {
		async put(key, bytes) {
			await mkdir(asideFolder, { recursive: true });
			const aside = join(asideFolder, randomUUID());
			const handle = await open(aside, 'wx');
			try {
				await handle.writeFile(bytes);
				await handle.sync();
			} catch (error) {
				await rm(aside, { force: true });
				throw error;
			} finally {
				await handle.close();
			}
			await moveIntoPlace(aside, key);
			return { sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
		},

		async adopt(key, localFile) {
			const handle = await open(localFile, 'r+').catch(ignoreMissingFile);
			if (handle !== null) {
				await handle.sync().finally(() => handle.close());
				await moveIntoPlace(localFile, key);
			}
			return hashBytes(createReadStream(fileOf(key), { highWaterMark: 1 << 20 }));
		},

		async read(key, range) {
			const handle = await open(fileOf(key), 'r');
			return handle.createReadStream(range === undefined ? {} : { start: range.start, end: range.end });
		},

		async findSize(key) {
			return (await stat(fileOf(key)).catch(ignoreMissingFile))?.size ?? null;
		},

		async copy(fromKey, toKey) {
			await mkdir(asideFolder, { recursive: true });
			const aside = join(asideFolder, randomUUID());
			try {
				await copyFile(fileOf(fromKey), aside);
				const handle = await open(aside, 'r+');
				await handle.sync().finally(() => handle.close());
			} catch (error) {
				await rm(aside, { force: true });
				throw error;
			}
			await moveIntoPlace(aside, toKey);
		},

		async remove(key) {
			await rm(fileOf(key), { force: true });
		},

		async removeMany(keys) {
			for (const key of keys) await rm(fileOf(key), { force: true });
		},

		async *list() {
			for await (const found of walk(root, root)) if (found.key !== markerKey) yield found;
		},

		async isEmpty() {
			for await (const { key } of walk(root, root)) if (!key.startsWith(`${stagingFolderName}/`)) return false;
			return true;
		},

		async check() {
			await mkdir(asideFolder, { recursive: true });
			const probe = join(asideFolder, `probe-${randomUUID()}`);
			const handle = await open(probe, 'wx');
			await handle.writeFile('ok').finally(() => handle.close());
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

async function* walk(root: string, folder: string): AsyncGenerator<{ key: string; modifiedAt: Date }> {
	const entries = await opendir(folder).catch(ignoreMissingFile);
	if (entries === null) return;
	for await (const entry of entries) {
		const file = join(folder, entry.name);
		if (entry.isDirectory()) {
			yield* walk(root, file);
			continue;
		}
		const found = await stat(file).catch(() => null);
		if (found !== null) yield { key: relative(root, file).split(sep).join('/'), modifiedAt: found.mtime };
	}
}

/** Creates a folder and syncs each parent that gained one, so that a synced file can be found after a power cut. */
async function makeFolder(root: string, folder: string): Promise<void> {
	const first = await mkdir(folder, { recursive: true });
	if (first === undefined) return;
	for (let made = folder; made.length >= root.length; made = dirname(made)) await syncFolder(dirname(made));
}

async function syncFolder(folder: string): Promise<void> {
	const handle = await open(folder, 'r');
	await handle.sync().finally(() => handle.close());
}
