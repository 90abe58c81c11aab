import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStore } from '@tus/file-store';
import { syncOrEmpty } from '../../../../platform/storage/disk/durable-files.ts';
import { discardFileHash, hashFileUpTo } from '../../../../platform/storage/hashing/hashing.ts';
import { releaseReceived } from './received-bytes.ts';

const mebibyte = 1024 * 1024;
/** Received pieces are collected up to this size and written together. */
const writeBytes = mebibyte;
const hashEveryBytes = 4 * mebibyte;
const syncEveryBytes = 16 * mebibyte;
/** Half of the interval, so that no sync begins at the end of a chunk of 32 MB, where the final sync follows. */
const firstSyncBytes = syncEveryBytes / 2;

/**
 * The folder store of tus with another `write`. It writes large pieces; meanwhile the worker thread hashes the written
 * bytes (hashing.ts has the measured gain), and syncs send them to the disk, so that the last sync has little to do.
 */
export class HashingFileStore extends FileStore {
	override async write(source: Readable, id: string, offset: number): Promise<number> {
		const path = join(this.directory, id);
		const file = await open(path, 'r+');
		let position = offset;
		const hashEvery = createTrigger(offset + hashEveryBytes, hashEveryBytes, () => hashFileUpTo(path, position));
		let syncing: Promise<unknown> = Promise.resolve();
		let syncFailure: unknown;
		const syncEvery = createTrigger(offset + firstSyncBytes, syncEveryBytes, () => {
			syncing = Promise.all([syncing, syncEarly(file)]);
			syncing.catch((error: unknown) => {
				syncFailure = error;
			});
		});
		const write = async (pieces: Buffer[]) => {
			if (syncFailure !== undefined) throw syncFailure;
			position += await writeAll(file, pieces, position);
			for (const piece of pieces) releaseReceived(source, piece);
			hashEvery(position);
			syncEvery(position);
		};
		try {
			await pipeline(source, createTarget(write)).finally(() => syncing);
			return position;
		} finally {
			if (syncFailure !== undefined) {
				// Pieces may have been written after the failed sync had emptied the file.
				await file.truncate(0);
				discardFileHash(path);
			}
			await file.close();
		}
	}
}

/** @returns the number of written bytes */
async function writeAll(file: FileHandle, pieces: Buffer[], position: number): Promise<number> {
	const sizeBytes = pieces.reduce((sum, { length }) => sum + length, 0);
	let { bytesWritten } = await file.writev(pieces, position);
	// On an almost full disk a write may store only the first bytes; the next write then fails with the error.
	if (bytesWritten < sizeBytes) {
		const rest = Buffer.concat(pieces).subarray(bytesWritten);
		bytesWritten += await writeAll(file, [rest], position + bytesWritten);
	}
	return bytesWritten;
}

function createTarget(write: (pieces: Buffer[]) => Promise<void>): Writable {
	let writing: Promise<void> = Promise.resolve();
	const start = (pieces: Buffer[], done: (error?: Error | null) => void) => {
		writing = write(pieces);
		writing.then(() => done(), done);
	};
	return new Writable({
		highWaterMark: writeBytes,
		write: (piece: Buffer, _encoding, done) => start([piece], done),
		writev: (pieces, done) =>
			start(
				pieces.map(({ chunk }) => chunk),
				done,
			),
		// Also called after a connection error. The file must not be closed before the last write has ended.
		destroy: (error, done) => void writing.catch(() => {}).then(() => done(error)),
	});
}

function createTrigger(firstAt: number, every: number, run: () => void) {
	let nextAt = firstAt;
	return (position: number): void => {
		if (position < nextAt) return;
		nextAt = position + every;
		run();
	};
}

let isSyncing = false;

/** Syncs one file at a time, so that other work has threads. */
async function syncEarly(file: FileHandle): Promise<void> {
	if (isSyncing) return;
	isSyncing = true;
	await syncOrEmpty(file).finally(() => {
		isSyncing = false;
	});
}
