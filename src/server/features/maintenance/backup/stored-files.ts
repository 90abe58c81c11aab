import { createHash, type Hash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { hashBytes, ignoreMissingFile, type Storage } from '../../../platform/storage/storage.ts';

/** Maximum size of a file that is copied in memory; larger ones go through a temporary file. */
const inMemoryMaxBytes = 8 * 1024 * 1024;
const concurrency = 4;

/** The columns of a stored file's row that copying needs. */
export interface StoredFile {
	key: string;
	sizeBytes: number;
	sha256: string;
}

/** A stored file that could not be copied, because in the source it is missing or differs from its row. */
export interface FileProblem {
	key: string;
	what: 'missing' | 'differs';
}

export interface FilesOutcome {
	/** Number of files that are complete at the target. */
	files: number;
	bytes: number;
	kept: number;
	faults: FileProblem[];
}

/** Processes files, some concurrently; `each` returns whether the file was copied or already there, or its problem. */
export async function forEachFile(
	files: AsyncIterable<StoredFile>,
	each: (file: StoredFile) => Promise<'copied' | 'kept' | FileProblem>,
	onFile: (outcome: FilesOutcome) => void = () => {},
): Promise<FilesOutcome> {
	const outcome: FilesOutcome = { files: 0, bytes: 0, kept: 0, faults: [] };
	const iterator = files[Symbol.asyncIterator]();
	const failure: { error?: unknown } = {};
	async function work(): Promise<void> {
		while (!('error' in failure)) {
			const next = await iterator.next();
			if (next.done) return;
			const done = await each(next.value);
			if (typeof done === 'object') {
				outcome.faults.push(done);
			} else {
				outcome.files += 1;
				outcome.bytes += next.value.sizeBytes;
				if (done === 'kept') outcome.kept += 1;
			}
			onFile(outcome);
		}
	}
	const stop = (error: unknown) => {
		failure.error = error;
	};
	await Promise.all(Array.from({ length: concurrency }, () => work().catch(stop)));
	await iterator.return?.();
	if ('error' in failure) throw failure.error;
	outcome.faults.sort((one, other) => (one.key < other.key ? -1 : 1));
	return outcome;
}

/** Copies a stored file into a folder, under its key, comparing its hash on the way. */
export async function copyToFolder(
	storage: Storage,
	file: StoredFile,
	folder: string,
): Promise<'copied' | 'kept' | FileProblem> {
	const target = join(folder, ...file.key.split('/'));
	if (await isFile(target, file)) return 'kept';
	const bytes = await openStored(storage, file.key);
	if (bytes === null) return { key: file.key, what: 'missing' };
	await mkdir(dirname(target), { recursive: true, mode: 0o700 });
	const aside = `${target}.part-${randomUUID()}`;
	try {
		if ((await writeHashed(bytes, aside)) !== file.sha256) return { key: file.key, what: 'differs' };
		await rename(aside, target);
		return 'copied';
	} finally {
		await rm(aside, { force: true });
	}
}

/** Copies a file from a folder into the storage, comparing its hash; `scratch`: folder for temporary files. */
export async function copyFromFolder(
	folder: string,
	{ key, sizeBytes, sha256 }: StoredFile,
	storage: Storage,
	scratch: string,
): Promise<'copied' | 'kept' | FileProblem> {
	const stored = await openStored(storage, key);
	if (stored !== null && (await hashBytes(stored)).sha256 === sha256) return 'kept';
	const source = join(folder, ...key.split('/'));
	if ((await stat(source).catch(ignoreMissingFile)) === null) return { key, what: 'missing' };
	const bytes = createReadStream(source);
	if (sizeBytes <= inMemoryMaxBytes) {
		const chunks: Buffer[] = [];
		const { sha256: found } = await hashBytes(bytes, (chunk) => chunks.push(chunk));
		if (found !== sha256) return { key, what: 'differs' };
		await storage.put(key, Buffer.concat(chunks));
		return 'copied';
	}
	await mkdir(scratch, { recursive: true, mode: 0o700 });
	const aside = join(scratch, randomUUID());
	try {
		if ((await writeHashed(bytes, aside)) !== sha256) return { key, what: 'differs' };
		await storage.adopt(key, aside);
		return 'copied';
	} finally {
		await rm(aside, { force: true });
	}
}

async function isFile(path: string, { sizeBytes, sha256 }: StoredFile): Promise<boolean> {
	const found = await stat(path).catch(ignoreMissingFile);
	return (
		found?.isFile() === true && found.size === sizeBytes && (await hashBytes(createReadStream(path))).sha256 === sha256
	);
}

async function openStored(storage: Storage, key: string): Promise<Readable | null> {
	return storage.read(key).catch(ignoreMissingFile);
}

/** Writes bytes into a new file and flushes it to disk. @returns the SHA-256 in hex */
async function writeHashed(bytes: Readable, path: string): Promise<string> {
	const hash: Hash = createHash('sha256');
	const handle = await open(path, 'wx', 0o600);
	try {
		for await (const chunk of bytes) {
			hash.update(chunk as Buffer);
			await handle.writeFile(chunk as Buffer);
		}
		await handle.datasync();
	} finally {
		bytes.destroy();
		await handle.close();
	}
	return hash.digest('hex');
}
