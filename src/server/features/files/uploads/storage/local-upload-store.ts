import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStore } from '@tus/file-store';
import { syncOrEmpty } from '../../../../platform/storage/disk/durable-files.ts';
import { followFile, forgetFile } from '../../../../platform/storage/hashing/hashing.ts';
import { releaseReceived } from './received-bytes.ts';

const mebibyte = 1024 * 1024;
/** Pieces of the connection are collected up to this size, and written together. */
const writeBytes = mebibyte;
const followEveryBytes = 4 * mebibyte;
const syncEveryBytes = 16 * mebibyte;
/** Such that a chunk of 32 MB does not end just when a sync begins. */
const firstSyncBytes = syncEveryBytes / 2;

/**
 * The store of tus for a folder, with another `write`: bytes are written in large pieces, hashed in another thread as
 * soon as they are written, and sent to the disk meanwhile, so that little is left to do when all have arrived.
 */
export class LocalUploadStore extends FileStore {
	override async write(source: Readable, id: string, offset: number): Promise<number> {
		const path = join(this.directory, id);
		const file = await open(path, 'r+');
		let position = offset;
		const followEvery = createTrigger(offset + followEveryBytes, followEveryBytes, () => followFile(path, position));
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
			followEvery(position);
			syncEvery(position);
		};
		try {
			await pipeline(source, createTarget(write)).finally(() => syncing);
			return position;
		} finally {
			if (syncFailure !== undefined) {
				// Pieces may have been written behind the emptied part.
				await file.truncate(0);
				forgetFile(path);
			}
			await file.close();
		}
	}
}

/** @returns the number of written bytes */
async function writeAll(file: FileHandle, pieces: Buffer[], position: number): Promise<number> {
	const sizeBytes = pieces.reduce((sum, { length }) => sum + length, 0);
	let { bytesWritten } = await file.writev(pieces, position);
	// A disk that is almost full takes only the first bytes, and answers the next write with the error.
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
		// Called after an error of the connection, too: the last write must have ended before the file is closed.
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
