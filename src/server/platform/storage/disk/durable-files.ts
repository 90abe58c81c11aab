import { close, fsync, open, rm, write } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { ignoreMissingFile } from '../storage.ts';

// Descriptors, because a FileHandle takes more processor time.
const openFile = promisify(open);
const writeBytes = promisify(write);
const syncDescriptor = promisify(fsync);
const closeDescriptor = promisify(close);
const removeFile = promisify(rm);

interface NewFile {
	file: string;
	bytes: Buffer;
}

/**
 * Creates files under their final names. Syncs each file and each folder once, all at the same time. Calls `makeFolder`
 * for a missing folder. @returns the outcome of each file, which is durable if fulfilled
 */
export async function createDurableFiles(
	files: readonly NewFile[],
	makeFolder: (folder: string) => Promise<void>,
): Promise<Array<PromiseSettledResult<void>>> {
	const written = await Promise.allSettled(files.map((file) => createFile(file, makeFolder)));
	const folderSyncs = new Map<string, Promise<void>>();
	const syncFolder = (folder: string) => {
		const sync = folderSyncs.get(folder) ?? openFile(folder, 'r').then(syncAndClose);
		folderSyncs.set(folder, sync);
		return sync;
	};
	return Promise.allSettled(
		files.map(async ({ file }, index) => {
			const result = written[index];
			if (result?.status !== 'fulfilled') throw result?.reason;
			const outcomes = await Promise.allSettled([syncAndClose(result.value), syncFolder(dirname(file))]);
			const failure = outcomes.find((outcome) => outcome.status === 'rejected');
			if (failure === undefined) return;
			await removeFile(file, { force: true });
			throw failure.reason;
		}),
	);
}

/** @returns the descriptor of the open file */
async function createFile({ file, bytes }: NewFile, makeFolder: (folder: string) => Promise<void>): Promise<number> {
	const create = () => openFile(file, 'wx');
	const inNewFolder = () => makeFolder(dirname(file)).then(create);
	const descriptor = (await create().catch(ignoreMissingFile)) ?? (await inNewFolder());
	try {
		for (let offset = 0; offset < bytes.length; ) offset += (await writeBytes(descriptor, bytes, offset)).bytesWritten;
		return descriptor;
	} catch (error) {
		await closeDescriptor(descriptor);
		await removeFile(file, { force: true });
		throw error;
	}
}

async function syncAndClose(descriptor: number): Promise<void> {
	await syncDescriptor(descriptor).finally(() => closeDescriptor(descriptor));
}

/**
 * Syncs the bytes of a file; after a failure, empties it and throws. The system reports a failed sync only once: the next
 * sync would succeed although bytes are lost.
 */
export async function syncOrEmpty(file: FileHandle): Promise<void> {
	try {
		await file.datasync();
	} catch (error) {
		await file.truncate(0);
		throw error;
	}
}
