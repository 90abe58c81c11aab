import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import type { StoredBytes } from '../storage.ts';

export type HashAlgorithm = 'sha256' | 'md5';

/** A task with an `id` is answered with a message of that id. */
export type HashTask =
	| { kind: 'follow'; path: string; upTo: number }
	| { kind: 'forget'; path: string }
	| { id: number; kind: 'file'; path: string }
	| { id: number; kind: 'bytes'; bytes: Uint8Array; algorithms: HashAlgorithm[] }
	| { id: number; kind: 'part'; object: string; number: number; bytes: Uint8Array }
	| { id: number; kind: 'parts'; object: string; numbers: number[] }
	| { id: number; kind: 'update'; stream: number; bytes: Uint8Array; isFirst: boolean }
	| { id: number; kind: 'end'; stream: number };

export type HashAnswer = { id: number; result?: unknown; error?: { message: string; code: string | undefined } };

/** Small enough to be hashed from the processor's cache, into which it was just read. */
const stepBytes = 256 * 1024;
/** The oldest of more files, or of more objects, is read from its start when its hash is needed. */
const followedMax = 256;

interface OpenFile {
	descriptor: number;
	isOpen: boolean;
	hash: Hash;
	position: number;
}

interface PartHash {
	hash: Hash;
	/** Numbers of the hashed parts, in their order. */
	numbers: number[];
}

const buffer = Buffer.allocUnsafeSlow(stepBytes);
/** Files that are hashed while they are written, the oldest first. */
const followed = new Map<string, OpenFile>();
const streams = new Map<number, Hash>();
/** Objects that are hashed while their parts are stored, the oldest first. */
const partHashes = new Map<string, PartHash>();

function openFile(path: string): OpenFile {
	return { descriptor: openSync(path, 'r'), isOpen: true, hash: createHash('sha256'), position: 0 };
}

function closeFile(file: OpenFile): void {
	file.isOpen = false;
	closeSync(file.descriptor);
}

function forget(path: string): void {
	const file = followed.get(path);
	if (file !== undefined) closeFile(file);
	followed.delete(path);
}

/** Hashes up to a position or the end of the file. Other tasks run between the steps. */
async function advance(file: OpenFile, upTo = Number.POSITIVE_INFINITY): Promise<void> {
	while (file.isOpen && file.position < upTo) {
		const length = readSync(file.descriptor, buffer, 0, Math.min(stepBytes, upTo - file.position), file.position);
		if (length === 0) return;
		file.hash.update(buffer.subarray(0, length));
		file.position += length;
		await setImmediate();
	}
}

async function follow(path: string, upTo: number): Promise<void> {
	const file = followed.get(path) ?? openFile(path);
	followed.set(path, file);
	for (const [oldest] of followed) if (followed.size > followedMax) forget(oldest);
	await advance(file, upTo);
}

/** Takes the state of a followed file, unless another file has its name now, or it has become shorter. */
function takeFollowed(path: string): OpenFile | null {
	const file = followed.get(path);
	if (file === undefined) return null;
	followed.delete(path);
	const { ino, size } = statSync(path);
	if (ino === fstatSync(file.descriptor).ino && size >= file.position) return file;
	closeFile(file);
	return null;
}

async function hashFile(path: string): Promise<StoredBytes> {
	const file = takeFollowed(path) ?? openFile(path);
	try {
		await advance(file);
		return { sizeBytes: file.position, sha256: file.hash.digest('hex') };
	} finally {
		closeFile(file);
	}
}

/** Adds a part to the hash of its object. @returns the part's own MD5 */
function hashPart(object: string, number: number, bytes: Uint8Array): string {
	const of = partHashes.get(object) ?? { hash: createHash('sha256'), numbers: [] };
	partHashes.set(object, of);
	for (const [oldest] of partHashes) if (partHashes.size > followedMax) partHashes.delete(oldest);
	of.hash.update(bytes);
	of.numbers.push(number);
	return createHash('md5').update(bytes).digest('hex');
}

/** @returns null when this thread has not hashed exactly these parts, in this order */
function takePartHash(object: string, numbers: number[]): string | null {
	const of = partHashes.get(object);
	partHashes.delete(object);
	return of !== undefined && of.numbers.join() === numbers.join() ? of.hash.digest('hex') : null;
}

async function run(task: HashTask): Promise<unknown> {
	switch (task.kind) {
		case 'follow':
			return follow(task.path, task.upTo);
		case 'forget':
			return forget(task.path);
		case 'file':
			return hashFile(task.path);
		case 'bytes':
			return task.algorithms.map((algorithm) => createHash(algorithm).update(task.bytes).digest('hex'));
		case 'part':
			return hashPart(task.object, task.number, task.bytes);
		case 'parts':
			return takePartHash(task.object, task.numbers);
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
		// A failure to follow a file shows when its hash is asked for.
		if ('id' in task) parentPort?.postMessage({ id: task.id, ...content } satisfies HashAnswer);
	};
	run(task).then(
		(result) => answer({ result }),
		({ message, code }: NodeJS.ErrnoException) => answer({ error: { message, code } }),
	);
});
