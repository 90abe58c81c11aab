import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { formatStorage } from '../../../platform/format.ts';
import { hashFile } from '../../../platform/storage/hashing/hashing.ts';
import { ignoreMissingFile, type Storage } from '../../../platform/storage/storage.ts';
import { formatCount, type ReportProgress, throttleProgress } from './operator-command.ts';

const concurrency = 4;

export interface StoredFile {
	key: string;
	sizeBytes: number;
	sha256: string;
}

/** A stored file that could not be copied, because in the source it is missing or differs from its row. */
interface FileProblem {
	key: string;
	what: 'missing' | 'differs';
}

type CopyResult = 'copied' | 'kept' | FileProblem;

export interface FilesOutcome {
	/** Number of complete files at the target: the copied ones and those that it had already (`kept`). */
	files: number;
	bytes: number;
	kept: number;
	problems: FileProblem[];
}

/**
 * Processes several files concurrently, and reports the progress. `copy` returns whether the file was copied or kept,
 * or its problem.
 * @param count number of all files, for the progress report
 */
export async function forEachFile(
	files: AsyncGenerator<StoredFile>,
	count: number,
	report: ReportProgress,
	copy: (file: StoredFile) => Promise<CopyResult>,
): Promise<FilesOutcome> {
	const reportThrottled = throttleProgress(report);
	const outcome: FilesOutcome = { files: 0, bytes: 0, kept: 0, problems: [] };
	async function work(): Promise<void> {
		// A failure ends the generator, which the other workers share, so that they stop after their present file.
		for await (const file of files) {
			const done = await copy(file);
			if (typeof done === 'object') {
				outcome.problems.push(done);
			} else {
				outcome.files += 1;
				outcome.bytes += file.sizeBytes;
				if (done === 'kept') outcome.kept += 1;
			}
			reportThrottled(
				() => `files: ${formatCount(outcome.files)} of ${formatCount(count)}, ${formatStorage(outcome.bytes, 'en')}`,
			);
		}
	}
	const ended = await Promise.allSettled(Array.from({ length: concurrency }, work));
	const failed = ended.find(({ status }) => status === 'rejected');
	if (failed?.status === 'rejected') throw failed.reason;
	outcome.problems.sort((one, other) => (one.key < other.key ? -1 : 1));
	return outcome;
}

/** Copies a stored file into a folder under its key, and compares its hash. */
export async function copyToFolder(storage: Storage, file: StoredFile, folder: string): Promise<CopyResult> {
	const target = join(folder, ...file.key.split('/'));
	if (await isFile(target, file)) return 'kept';
	const bytes = await storage.read(file.key).catch(ignoreMissingFile);
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
	{ key, sha256 }: StoredFile,
	storage: Storage,
	scratch: string,
): Promise<CopyResult> {
	const stored = await storage.hash(key).catch(ignoreMissingFile);
	if (stored?.sha256 === sha256) return 'kept';
	const source = join(folder, ...key.split('/'));
	if ((await stat(source).catch(ignoreMissingFile)) === null) return { key, what: 'missing' };
	await mkdir(scratch, { recursive: true, mode: 0o700 });
	const aside = join(scratch, randomUUID());
	try {
		if ((await writeHashed(createReadStream(source), aside)) !== sha256) return { key, what: 'differs' };
		await storage.adopt(key, aside);
		return 'copied';
	} finally {
		await rm(aside, { force: true });
	}
}

async function isFile(path: string, { sizeBytes, sha256 }: StoredFile): Promise<boolean> {
	const stats = await stat(path).catch(ignoreMissingFile);
	return stats?.isFile() === true && stats.size === sizeBytes && (await hashFile(path)).sha256 === sha256;
}

/** Writes bytes into a new file and flushes it to disk. @returns the SHA-256 in hex */
async function writeHashed(bytes: Readable, path: string): Promise<string> {
	await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
	return (await hashFile(path)).sha256;
}
