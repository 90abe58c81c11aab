import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import type { StoredBytes } from '../storage.ts';

export type HashAlgorithm = 'sha256' | 'md5';

/** A task with an `id` is answered with a message of that id. */
export type HashTask =
	| { kind: 'hashUpTo'; path: string; upTo: number }
	| { kind: 'discard'; path: string }
	| { id: number; kind: 'file'; path: string }
	| { id: number; kind: 'bytes'; bytes: Uint8Array; algorithms: HashAlgorithm[] }
	| { id: number; kind: 'part'; object: string; number: number; bytes: Uint8Array }
	| { id: number; kind: 'parts'; object: string; numbers: number[] }
	| { id: number; kind: 'update'; stream: number; bytes: Uint8Array; isFirst: boolean }
	| { id: number; kind: 'end'; stream: number };

export type HashAnswer = { id: number; result?: unknown; error?: { message: string; code: string | undefined } };

/** Small enough to stay in the processor's cache between read and hash. */
const stepBytes = 256 * 1024;
/** With more files, or more objects, the oldest is read from its start when its hash is needed. */
const unfinishedMax = 256;

interface FileHash {
	descriptor: number;
	isOpen: boolean;
	hash: Hash;
	position: number;
}

interface ObjectHash {
	hash: Hash;
	/** Numbers of the hashed parts, in their order. */
	numbers: number[];
}

const buffer = Buffer.allocUnsafeSlow(stepBytes);
/** Files that are hashed while they are written, the oldest first. */
const fileHashes = new Map<string, FileHash>();
const streams = new Map<number, Hash>();
/** Objects that are hashed while their parts are stored, the oldest first. */
const objectHashes = new Map<string, ObjectHash>();

function openFile(path: string): FileHash {
	return { descriptor: openSync(path, 'r'), isOpen: true, hash: createHash('sha256'), position: 0 };
}

function closeFile(file: FileHash): void {
	file.isOpen = false;
	closeSync(file.descriptor);
}

function discard(path: string): void {
	const file = fileHashes.get(path);
	if (file !== undefined) closeFile(file);
	fileHashes.delete(path);
}

/** Hashes up to a position or the end of the file. Other tasks run between the steps. */
async function advance(file: FileHash, upTo = Number.POSITIVE_INFINITY): Promise<void> {
	while (file.isOpen && file.position < upTo) {
		const length = readSync(file.descriptor, buffer, 0, Math.min(stepBytes, upTo - file.position), file.position);
		if (length === 0) return;
		file.hash.update(buffer.subarray(0, length));
		file.position += length;
		await setImmediate();
	}
}

async function hashUpTo(path: string, upTo: number): Promise<void> {
	const file = fileHashes.get(path) ?? openFile(path);
	fileHashes.set(path, file);
	for (const [oldest] of fileHashes) if (fileHashes.size > unfinishedMax) discard(oldest);
	await advance(file, upTo);
}

/** Removes and returns the partial hash of a file; null if the file was replaced or has become shorter. */
function takeFileHash(path: string): FileHash | null {
	const file = fileHashes.get(path);
	if (file === undefined) return null;
	fileHashes.delete(path);
	const { ino, size } = statSync(path);
	if (ino === fstatSync(file.descriptor).ino && size >= file.position) return file;
	closeFile(file);
	return null;
}

async function hashFile(path: string): Promise<StoredBytes> {
	const file = takeFileHash(path) ?? openFile(path);
	try {
		await advance(file);
		return { sizeBytes: file.position, sha256: file.hash.digest('hex') };
	} finally {
		closeFile(file);
	}
}

/** Adds a part to the hash of its object. @returns the part's own MD5 */
function hashPart(object: string, number: number, bytes: Uint8Array): string {
	const of = objectHashes.get(object) ?? { hash: createHash('sha256'), numbers: [] };
	objectHashes.set(object, of);
	for (const [oldest] of objectHashes) if (objectHashes.size > unfinishedMax) objectHashes.delete(oldest);
	of.hash.update(bytes);
	of.numbers.push(number);
	return createHash('md5').update(bytes).digest('hex');
}

/** @returns null when this thread has not hashed exactly these parts, in this order */
function takeObjectHash(object: string, numbers: number[]): string | null {
	const of = objectHashes.get(object);
	objectHashes.delete(object);
	return of !== undefined && of.numbers.join() === numbers.join() ? of.hash.digest('hex') : null;
}

async function run(task: HashTask): Promise<unknown> {
	switch (task.kind) {
		case 'hashUpTo':
			return hashUpTo(task.path, task.upTo);
		case 'discard':
			return discard(task.path);
		case 'file':
			return hashFile(task.path);
		case 'bytes':
			return task.algorithms.map((algorithm) => createHash(algorithm).update(task.bytes).digest('hex'));
		case 'part':
			return hashPart(task.object, task.number, task.bytes);
		case 'parts':
			return takeObjectHash(task.object, task.numbers);
		case 'update':
			if (task.isFirst) streams.set(task.stream, createHash('sha256'));
			return void requireStream(task.stream).update(task.bytes);
		case 'end': {
			const hash = requireStream(task.stream);
			streams.delete(task.stream);
			return hash.digest('hex');
		}
	}
}

/** @throws Error when this thread has replaced one that had failed */
function requireStream(stream: number): Hash {
	const hash = streams.get(stream);
	if (hash === undefined) throw new Error('The thread that hashed the first bytes has ended.');
	return hash;
}

parentPort?.on('message', (task: HashTask) => {
	const answer = (content: Omit<HashAnswer, 'id'>) => {
		// Tasks without an id report no failure: a file that cannot be read fails when its hash is requested.
		if ('id' in task) parentPort?.postMessage({ id: task.id, ...content } satisfies HashAnswer);
	};
	run(task).then(
		(result) => answer({ result }),
		({ message, code }: NodeJS.ErrnoException) => answer({ error: { message, code } }),
	);
});
