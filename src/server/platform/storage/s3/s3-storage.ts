import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
	AbortMultipartUploadCommand,
	CompleteMultipartUploadCommand,
	CopyObjectCommand,
	CreateMultipartUploadCommand,
	DeleteObjectCommand,
	DeleteObjectsCommand,
	GetObjectCommand,
	HeadBucketCommand,
	HeadObjectCommand,
	ListMultipartUploadsCommand,
	ListObjectsV2Command,
	PutObjectCommand,
	UploadPartCommand,
	UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import type { Log } from '../../log.ts';
import { unlimitedSpace } from '../disk/disk-space.ts';
import {
	type ByteRange,
	hashBytes,
	ignoreMissingFile,
	type MultipartStorage,
	type Storage,
	type StoredBytes,
	type StoredPart,
} from '../storage.ts';
import { markerKey } from '../storage-ownership.ts';
import { ResumableRead } from './resumable-read.ts';
import {
	createS3RequestRunner,
	defaultRetryPolicy,
	isMissing,
	type RetryPolicy,
	type S3Settings,
} from './s3-client.ts';

const mebibyte = 1024 * 1024;
/** Source: Amazon S3 multipart upload limits. */
const minPartBytes = 5 * mebibyte;
const maxParts = 10_000;
const copyMaxBytes = 5 * 1024 * mebibyte;
const partBytes = 16 * mebibyte;
/** A store may take a tenth of a second for each key, and the timeout is a minute. */
const deleteBatchSize = 250;
const reservedPrefixes = [markerKey, 'backups/'];

/** Stores files in a bucket of an S3-compatible store. Nothing in it is public: all bytes go through this process. */
export interface S3Storage extends Storage {
	readonly multipart: MultipartStorage;
	/** Whether the bucket holds anything at all. */
	isEmpty(): Promise<boolean>;
}

export function createS3Storage(settings: S3Settings, log: Log, patience: RetryPolicy = defaultRetryPolicy): S3Storage {
	const Bucket = settings.bucket;
	const store = createS3RequestRunner(settings, log, patience);

	/** The store verifies the bytes by their MD5; the signature covers their SHA-256. */
	async function put(Key: string, bytes: Buffer): Promise<StoredBytes> {
		const command = new PutObjectCommand({ Bucket, Key, Body: bytes, ContentMD5: md5Of(bytes) });
		await store.send((client, options) => client.send(command, options), bytes.length);
		return { sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
	}

	async function openBytes(Key: string, range: { start: number; end?: number } | undefined) {
		const Range = range && `bytes=${range.start}-${range.end ?? ''}`;
		const command = new GetObjectCommand({ Bucket, Key, Range });
		const { Body, ContentLength, ContentRange } = await store
			.openBody((client, options) => client.send(command, options))
			.catch(rethrowMissingAsEnoent(Key));
		if (!(Body instanceof Readable) || ContentLength === undefined)
			throw store.toFinalError(new Error('no bytes came back'));
		const start = range?.start ?? 0;
		if (ContentRange === undefined ? start > 0 : !ContentRange.startsWith(`bytes ${start}-`)) {
			Body.destroy();
			throw store.toFinalError(new Error(`asked for ${Range}, got ${ContentRange}`));
		}
		return { body: Body as Readable, range: { start, end: start + ContentLength - 1 } };
	}

	async function read(key: string, wanted?: ByteRange): Promise<Readable> {
		const { body, range } = await openBytes(key, wanted);
		const { idleTimeoutMs: silentMs, maxAttempts: tries, initialBackoffMs: pauseMs } = patience;
		return new ResumableRead({
			range,
			body,
			reopen: async (start) => (await openBytes(key, { start, end: range.end })).body,
			giveUp: store.toFinalError,
			idleTimeoutMs: silentMs,
			maxAttempts: tries,
			initialBackoffMs: pauseMs,
		});
	}

	async function findSize(Key: string): Promise<number | null> {
		const command = new HeadObjectCommand({ Bucket, Key });
		const found = await store.send((client, options) => client.send(command, options)).catch(ignoreMissing);
		return found?.ContentLength ?? null;
	}

	async function begin(Key: string): Promise<string> {
		const command = new CreateMultipartUploadCommand({ Bucket, Key });
		const { UploadId } = await store.send((client, options) => client.send(command, options));
		if (UploadId === undefined) throw store.toFinalError(new Error('no upload id came back'));
		return UploadId;
	}

	async function putPart(Key: string, UploadId: string, PartNumber: number, bytes: Buffer): Promise<string> {
		const part = { Bucket, Key, UploadId, PartNumber, Body: bytes, ContentMD5: md5Of(bytes) };
		const command = new UploadPartCommand(part);
		const { ETag } = await store.send((client, options) => client.send(command, options), bytes.length);
		if (ETag === undefined) throw store.toFinalError(new Error('no etag came back'));
		return ETag;
	}

	async function join(Key: string, UploadId: string, parts: readonly StoredPart[]): Promise<void> {
		const Parts = parts.map(({ number: PartNumber, etag: ETag }) => ({ PartNumber, ETag }));
		const command = new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } });
		try {
			await store.sendServerSideCopy((client, options) => client.send(command, options));
		} catch (error) {
			// The parts were joined already, and the response was lost.
			if (!isMissing(error) || (await findSize(Key)) === null) throw error;
		}
	}

	async function abort(Key: string, UploadId: string): Promise<void> {
		const command = new AbortMultipartUploadCommand({ Bucket, Key, UploadId });
		await store.send((client, options) => client.send(command, options)).catch(ignoreMissing);
	}

	/** Starts a multipart upload, sends its parts and completes it; aborts it after an error. */
	async function inParts(key: string, send: (handle: string) => Promise<StoredPart[]>): Promise<void> {
		const handle = await begin(key);
		try {
			await join(key, handle, await send(handle));
		} catch (error) {
			// If this fails too, the maintenance aborts the upload later.
			await abort(key, handle).catch(() => {});
			throw error;
		}
	}

	async function putFile(key: string, file: FileHandle, sizeBytes: number): Promise<StoredBytes> {
		const hash = createHash('sha256');
		const size = Math.max(partBytes, Math.ceil(sizeBytes / maxParts));
		await inParts(key, async (handle) => {
			const parts: StoredPart[] = [];
			for (let start = 0; start < sizeBytes; start += size) {
				const bytes = Buffer.allocUnsafe(Math.min(size, sizeBytes - start));
				const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
				if (bytesRead < bytes.length) throw new Error('The file has become shorter while it was stored.');
				hash.update(bytes);
				parts.push({ number: parts.length + 1, etag: await putPart(key, handle, parts.length + 1, bytes) });
			}
			return parts;
		});
		return { sizeBytes, sha256: hash.digest('hex') };
	}

	async function copyInParts(fromKey: string, Key: string, sizeBytes: number): Promise<void> {
		const size = Math.max(512 * mebibyte, Math.ceil(sizeBytes / maxParts));
		await inParts(Key, async (UploadId) => {
			const parts: StoredPart[] = [];
			for (let start = 0; start < sizeBytes; start += size) {
				const PartNumber = parts.length + 1;
				const CopySourceRange = `bytes=${start}-${Math.min(start + size, sizeBytes) - 1}`;
				const CopySource = sourceOf(Bucket, fromKey);
				const command = new UploadPartCopyCommand({ Bucket, Key, UploadId, PartNumber, CopySource, CopySourceRange });
				const { CopyPartResult } = await store.sendServerSideCopy((client, options) => client.send(command, options));
				if (CopyPartResult?.ETag === undefined) throw store.toFinalError(new Error('no etag came back'));
				parts.push({ number: PartNumber, etag: CopyPartResult.ETag });
			}
			return parts;
		});
	}

	async function removeSome(keys: readonly string[]): Promise<void> {
		const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
		const command = new DeleteObjectsCommand({ Bucket, Delete });
		withMd5(command);
		const { Errors = [] } = await store.sendServerSideCopy((client, options) => client.send(command, options));
		const [first] = Errors.filter(({ Code }) => Code !== 'NoSuchKey');
		if (first !== undefined)
			throw store.toFinalError(new Error(`${first.Key} was not removed: ${first.Code} ${first.Message}`));
	}

	async function* listAll() {
		for (let ContinuationToken: string | undefined; ; ) {
			const command = new ListObjectsV2Command({ Bucket, ContinuationToken });
			const page = await store.send((client, options) => client.send(command, options));
			for (const { Key, LastModified } of page.Contents ?? []) {
				if (Key !== undefined && LastModified !== undefined) yield { key: Key, modifiedAt: LastModified };
			}
			if (page.NextContinuationToken === undefined) return;
			ContinuationToken = page.NextContinuationToken;
		}
	}

	async function* listBegun() {
		for (let from: { KeyMarker?: string; UploadIdMarker?: string } = {}; ; ) {
			const command = new ListMultipartUploadsCommand({ Bucket, ...from });
			const page = await store.send((client, options) => client.send(command, options));
			for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
				if (Key !== undefined && UploadId !== undefined && Initiated !== undefined)
					yield { key: Key, handle: UploadId, startedAt: Initiated };
			}
			if (page.IsTruncated !== true || page.NextKeyMarker === undefined) return;
			from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
		}
	}

	return {
		put,

		async adopt(key, localFile) {
			const file = await open(localFile, 'r').catch(ignoreMissingFile);
			if (file === null) return hashBytes(await read(key));
			let stored: StoredBytes;
			try {
				const { size } = await file.stat();
				stored = await (size <= partBytes ? put(key, await file.readFile()) : putFile(key, file, size));
			} finally {
				await file.close();
			}
			await rm(localFile, { force: true });
			return stored;
		},

		read,
		findSize,

		async copy(fromKey, toKey) {
			const sizeBytes = await findSize(fromKey);
			if (sizeBytes === null) throw notFoundError(fromKey);
			if (sizeBytes > copyMaxBytes) return copyInParts(fromKey, toKey, sizeBytes);
			const command = new CopyObjectCommand({ Bucket, Key: toKey, CopySource: sourceOf(Bucket, fromKey) });
			await store
				.sendServerSideCopy((client, options) => client.send(command, options))
				.catch(rethrowMissingAsEnoent(fromKey));
		},

		async remove(Key) {
			const command = new DeleteObjectCommand({ Bucket, Key });
			await store.send((client, options) => client.send(command, options)).catch(ignoreMissing);
		},

		async removeMany(keys) {
			for (let at = 0; at < keys.length; at += deleteBatchSize) await removeSome(keys.slice(at, at + deleteBatchSize));
		},

		async *list() {
			for await (const found of listAll())
				if (!reservedPrefixes.some((prefix) => found.key.startsWith(prefix))) yield found;
		},

		async isEmpty() {
			const command = new ListObjectsV2Command({ Bucket, MaxKeys: 1 });
			return ((await store.send((client, options) => client.send(command, options))).Contents ?? []).length === 0;
		},

		async check() {
			const command = new HeadBucketCommand({ Bucket });
			await store.sendOnce((client, options) => client.send(command, options));
		},

		async getDiskSpace() {
			return unlimitedSpace;
		},

		multipart: {
			minPartBytes,
			start: begin,
			putPart,
			async complete(key, handle, parts) {
				await join(key, handle, parts);
				return hashBytes(await read(key));
			},
			abort,
			listPending: listBegun,
		},

		async close() {
			store.close();
		},
	};
}

function md5Of(bytes: Buffer | string): string {
	return createHash('md5').update(bytes).digest('base64');
}

/** Adds an MD5 checksum: deleting many keys at once requires a checksum, and every store accepts MD5. */
function withMd5(command: DeleteObjectsCommand): void {
	command.middlewareStack.add(
		(next) => (args) => {
			const request = args.request as { body?: string | Uint8Array; headers: Record<string, string> };
			for (const name of Object.keys(request.headers))
				if (/^x-amz-(sdk-)?checksum-/u.test(name)) delete request.headers[name];
			request.headers['content-md5'] = md5Of(Buffer.from(request.body ?? ''));
			return next(args);
		},
		{ step: 'build', name: 'md5OfDeleteObjects', priority: 'low' },
	);
}

function sourceOf(bucket: string, key: string): string {
	return [bucket, ...key.split('/')].map(encodeURIComponent).join('/');
}

function notFoundError(key: string): Error {
	return Object.assign(new Error(`There is nothing under ${key}.`), { code: 'ENOENT' });
}

function rethrowMissingAsEnoent(key: string) {
	return (error: unknown): never => {
		throw isMissing(error) ? notFoundError(key) : error;
	};
}

function ignoreMissing(error: unknown): null {
	if (isMissing(error)) return null;
	throw error;
}
