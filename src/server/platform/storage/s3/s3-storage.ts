import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
	AbortMultipartUploadCommand,
	CompleteMultipartUploadCommand,
	CreateMultipartUploadCommand,
	DeleteObjectsCommand,
	GetObjectCommand,
	HeadObjectCommand,
	ListMultipartUploadsCommand,
	ListObjectsV2Command,
	PutObjectCommand,
	UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { ByteRange } from '#shared/byte-ranges.ts';
import type { Log } from '../../log.ts';
import { allocateShared, findPartsHash, hashBuffer, hashBytes, hashPart } from '../hashing/hashing.ts';
import {
	ignoreMissingFile,
	type MultipartStorage,
	requireSize,
	type Storage,
	type StoredBytes,
	type StoredPart,
	unlimitedSpace,
} from '../storage.ts';
import { backupsPrefix, type ClaimableStorage, markerKey } from '../storage-ownership.ts';
import { createResumableRead } from './resumable-read.ts';
import {
	createS3RequestRunner,
	defaultRetryPolicy,
	isMissing,
	type RetryPolicy,
	type S3Settings,
} from './s3-client.ts';

const mebibyte = 1024 * 1024;
/** Limits of S3. Source: docs.aws.amazon.com, 'Amazon S3 multipart upload limits'. */
const minPartBytes = 5 * mebibyte;
const maxParts = 10_000;
const partBytes = 16 * mebibyte;
/** Number of keys in one delete request. A store may need 0.1 seconds for each key, and the timeout is one minute. */
const deleteBatchSize = 250;
/** The signer uses the hash in this header instead of computing it again. */
const payloadHashHeader = 'x-amz-content-sha256';
const reservedPrefixes = [markerKey, backupsPrefix];

interface SentRequest {
	body?: string | Uint8Array;
	headers: Record<string, string>;
}

export type S3Storage = Storage & ClaimableStorage & { readonly multipart: MultipartStorage };

/** Stores files in a bucket of an S3-compatible store. No object is public: all bytes are sent through this process. */
export function createS3Storage(
	settings: S3Settings,
	log: Log,
	retryPolicy: RetryPolicy = defaultRetryPolicy,
): S3Storage {
	const Bucket = settings.bucket;
	const store = createS3RequestRunner(settings, log, retryPolicy);

	/** The store verifies the bytes by their MD5, and by their SHA-256, which is part of the signature. */
	async function put(Key: string, bytes: Buffer): Promise<StoredBytes> {
		const [md5 = '', sha256 = ''] = await hashBuffer(bytes, ['md5', 'sha256']);
		const command = new PutObjectCommand({ Bucket, Key, Body: bytes, ContentMD5: toBase64(md5) });
		withHeaders(command, () => ({ [payloadHashHeader]: sha256 }));
		await store.send(command, bytes.length);
		return { sizeBytes: bytes.length, sha256 };
	}

	async function openBytes(Key: string, range: { start: number; end?: number } | undefined) {
		const Range = range && `bytes=${range.start}-${range.end ?? ''}`;
		const command = new GetObjectCommand({ Bucket, Key, Range });
		const { Body, ContentLength, ContentRange } = await store.openBody(command).catch(rethrowMissingAsEnoent(Key));
		if (!(Body instanceof Readable) || ContentLength === undefined)
			throw store.toFinalError(new Error('response without bytes'));
		const start = range?.start ?? 0;
		if (ContentRange === undefined ? start > 0 : !ContentRange.startsWith(`bytes ${start}-`)) {
			Body.destroy();
			throw store.toFinalError(new Error(`requested ${Range}, received ${ContentRange}`));
		}
		const end = start + ContentLength - 1;
		if (range?.end !== undefined && end < range.end) {
			Body.destroy();
			throw new Error(`The object ends at byte ${end}, before byte ${range.end} of the range.`);
		}
		return { body: Body as Readable, range: { start, end } };
	}

	async function read(key: string, requested?: ByteRange): Promise<Readable> {
		const { body, range } = await openBytes(key, requested);
		return createResumableRead({
			range,
			body,
			reopen: async (start) => (await openBytes(key, { start, end: range.end })).body,
			giveUp: store.toFinalError,
			...retryPolicy,
		});
	}

	const hash = async (key: string) => hashBytes(await read(key));

	async function findSize(Key: string): Promise<number | null> {
		const response = await store.send(new HeadObjectCommand({ Bucket, Key })).catch(ignoreMissing);
		return response?.ContentLength ?? null;
	}

	async function startUpload(Key: string): Promise<string> {
		const { UploadId } = await store.send(new CreateMultipartUploadCommand({ Bucket, Key }));
		if (UploadId === undefined) throw store.toFinalError(new Error('response without upload id'));
		return UploadId;
	}

	/** The store verifies the bytes by their MD5, which the signature includes; the SHA-256 is that of all parts. */
	async function putPart(Key: string, UploadId: string, PartNumber: number, bytes: Buffer): Promise<string> {
		const md5 = await hashPart(UploadId, PartNumber, bytes);
		const part = { Bucket, Key, UploadId, PartNumber, Body: bytes, ContentMD5: toBase64(md5) };
		const command = new UploadPartCommand(part);
		withHeaders(command, () => ({ [payloadHashHeader]: 'UNSIGNED-PAYLOAD' }));
		const { ETag } = await store.send(command, bytes.length);
		if (ETag === undefined) throw store.toFinalError(new Error('response without ETag'));
		return ETag;
	}

	async function completeUpload(Key: string, UploadId: string, parts: readonly StoredPart[]): Promise<void> {
		const Parts = parts.map(({ number: PartNumber, etag: ETag }) => ({ PartNumber, ETag }));
		const command = new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } });
		try {
			await store.sendSlow(command);
		} catch (error) {
			// If the key exists, an earlier request joined the parts, but its response was lost.
			if (!isMissing(error) || (await findSize(Key)) === null) throw error;
		}
	}

	/**
	 * Reads the bytes back only if this process has not sent all parts. Measured with 200 MB, together with parts that are
	 * signed without their SHA-256: 4.3 s of processor time for each GB instead of 6.4.
	 */
	async function joinParts(key: string, handle: string, parts: readonly StoredPart[]): Promise<StoredBytes> {
		await completeUpload(key, handle, parts);
		const sha256 = await findPartsHash(
			handle,
			parts.map(({ number }) => number),
		);
		const sizeBytes = sha256 === null ? null : await findSize(key);
		return sha256 === null || sizeBytes === null ? hash(key) : { sizeBytes, sha256 };
	}

	async function abortUpload(Key: string, UploadId: string): Promise<void> {
		await store.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(ignoreMissing);
	}

	/** Stores a file by a multipart upload, which is aborted after an error. */
	async function putFile(key: string, file: FileHandle, sizeBytes: number): Promise<StoredBytes> {
		const size = Math.max(partBytes, Math.ceil(sizeBytes / maxParts));
		const handle = await startUpload(key);
		try {
			const parts: StoredPart[] = [];
			for (let start = 0; start < sizeBytes; start += size) {
				const bytes = allocateShared(Math.min(size, sizeBytes - start));
				const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
				if (bytesRead < bytes.length) throw new Error('The file became shorter while it was being stored.');
				parts.push({ number: parts.length + 1, etag: await putPart(key, handle, parts.length + 1, bytes) });
			}
			return await joinParts(key, handle, parts);
		} catch (error) {
			// If this fails too, maintenance aborts the upload later.
			await abortUpload(key, handle).catch(() => {});
			throw error;
		}
	}

	async function removeBatch(keys: readonly string[]): Promise<void> {
		const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
		const command = new DeleteObjectsCommand({ Bucket, Delete });
		withMd5(command);
		const { Errors = [] } = await store.sendSlow(command);
		const [first] = Errors.filter(({ Code }) => Code !== 'NoSuchKey');
		if (first !== undefined)
			throw store.toFinalError(new Error(`${first.Key} was not removed: ${first.Code} ${first.Message}`));
	}

	async function* listObjects() {
		for (let ContinuationToken: string | undefined; ; ) {
			const page = await store.send(new ListObjectsV2Command({ Bucket, ContinuationToken }));
			for (const { Key, LastModified } of page.Contents ?? []) {
				if (Key !== undefined && LastModified !== undefined) yield { key: Key, modifiedAt: LastModified };
			}
			if (page.NextContinuationToken === undefined) return;
			ContinuationToken = page.NextContinuationToken;
		}
	}

	async function* listPendingUploads() {
		for (let from: { KeyMarker?: string; UploadIdMarker?: string } = {}; ; ) {
			const page = await store.send(new ListMultipartUploadsCommand({ Bucket, ...from }));
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
		putMany: (objects) => Promise.allSettled(objects.map(({ key, bytes }) => put(key, bytes))),

		async adopt(key, localFile, sizeBytes) {
			const file = await open(localFile, 'r').catch(ignoreMissingFile);
			if (file === null) return requireSize(await hash(key), sizeBytes);
			let stored: StoredBytes;
			try {
				const { size } = await file.stat();
				requireSize({ sizeBytes: size }, sizeBytes);
				if (size <= partBytes) stored = await put(key, await file.readFile());
				else stored = await putFile(key, file, size);
			} finally {
				await file.close();
			}
			await rm(localFile, { force: true });
			return stored;
		},

		read,
		hash,
		findSize,
		localPath: () => null,

		async remove(keys) {
			for (let at = 0; at < keys.length; at += deleteBatchSize) await removeBatch(keys.slice(at, at + deleteBatchSize));
		},

		async *list() {
			for await (const object of listObjects())
				if (!reservedPrefixes.some((prefix) => object.key.startsWith(prefix))) yield object;
		},

		async isEmpty() {
			return ((await store.send(new ListObjectsV2Command({ Bucket, MaxKeys: 1 }))).Contents ?? []).length === 0;
		},

		check: store.check,
		isAnswering: store.isAnswering,

		async getDiskSpace() {
			return unlimitedSpace;
		},

		multipart: {
			minPartBytes,
			start: startUpload,
			putPart,
			complete: joinParts,
			abort: abortUpload,
			listPending: listPendingUploads,
		},

		async close() {
			store.close();
		},
	};
}

function toBase64(hex: string): string {
	return Buffer.from(hex, 'hex').toString('base64');
}

/** Replaces the checksum of a request by an MD5, because DeleteObjects needs a checksum and all stores accept MD5. */
function withMd5(command: DeleteObjectsCommand): void {
	withHeaders(command, ({ body, headers }) => {
		for (const name of Object.keys(headers)) if (/^x-amz-(sdk-)?checksum-/u.test(name)) delete headers[name];
		const md5 = createHash('md5').update(Buffer.from(body ?? ''));
		return { 'content-md5': md5.digest('base64') };
	});
}

/** Adds headers to a request before it is signed. */
function withHeaders(
	command: Pick<DeleteObjectsCommand | PutObjectCommand | UploadPartCommand, 'middlewareStack'>,
	headersOf: (request: SentRequest) => Record<string, string>,
): void {
	(command as DeleteObjectsCommand).middlewareStack.add(
		(next) => (args) => {
			const request = args.request as SentRequest;
			Object.assign(request.headers, headersOf(request));
			return next(args);
		},
		{ step: 'build', name: 'ownHeaders', priority: 'low' },
	);
}

function rethrowMissingAsEnoent(key: string) {
	return (error: unknown): never => {
		throw isMissing(error) ? Object.assign(new Error(`The key ${key} does not exist.`), { code: 'ENOENT' }) : error;
	};
}

function ignoreMissing(error: unknown): null {
	if (isMissing(error)) return null;
	throw error;
}
