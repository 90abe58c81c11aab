import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { previewContentType, previewOf } from '#contract/files/file-types.ts';
import { type ByteRange, parseByteRange } from '#shared/byte-ranges.ts';
import { createCsvStream } from '../../csv.ts';
import type { Schema } from '../../database/schema.ts';
import type { Deps } from '../../deps.ts';
import { dayOf } from '../../format.ts';
import { describeError, isStorageUnavailable } from '../../log.ts';
import { readSplicedBytes, type SplicedBytes } from '../../storage/spliced-bytes.ts';
import { abortOnSessionEnd } from '../abort-on-session-end.ts';
import { filePolicy } from '../security-headers.ts';
import { hasCurrentResponse } from './if-none-match.ts';

interface SendOptions {
	/** Default: the type of the blob. */
	contentType?: string;
	/** File name of a download; without it, the browser displays the file, except a PDF. */
	attachmentName?: string;
	cacheControl?: string;
	/** Whether the caller may still read the bytes; called when access changes while they are being sent. */
	isStillAllowed?: () => Promise<boolean>;
}

/** A stored file or spliced bytes. Each change of the content changes the `id`, which is the ETag. */
export type SendableBytes = Pick<Schema['blobs'], 'id' | 'size_bytes' | 'content_type'> &
	({ storage_key: string } | { spliced: SplicedBytes });

/**
 * Sends a stored file or one range of it (RFC 9110, section 14); the response is aborted when the session ends. The
 * caller has to check access for every request. The ETag is the blob's id, because changed content is a new blob. With
 * X_ACCEL_REDIRECT short responses are handed over to nginx.
 */
export async function sendBlob(
	deps: Deps,
	request: FastifyRequest,
	reply: FastifyReply,
	blob: SendableBytes,
	{ contentType = blob.content_type, attachmentName, cacheControl, isStillAllowed }: SendOptions = {},
): Promise<FastifyReply> {
	const sizeBytes = blob.size_bytes;
	const etag = `"${blob.id}"`;
	const headers = {
		'accept-ranges': 'bytes',
		'cache-control': cacheControl ?? 'private, no-cache',
		'content-security-policy': filePolicy,
		'content-type': contentType,
		etag,
		...dispositionOf(contentType, attachmentName),
	};
	if (hasCurrentResponse(request.headers['if-none-match'], etag)) return reply.code(304).headers(headers).send();
	const { range: requested, 'if-range': condition } = request.headers;
	const range = condition === undefined || condition === etag ? parseByteRange(requested, sizeBytes) : null;
	if (range === 'unsatisfiable') {
		reply.code(416).headers(headers).header('content-range', `bytes */${sizeBytes}`);
		return reply.removeHeader('content-type').send();
	}
	const length = range === null ? sizeBytes : range.end - range.start + 1;
	const isHead = request.method === 'HEAD';
	if (!isHead && !('spliced' in blob) && canHandOver(deps, request, range, length)) {
		reply.headers(headers).header('x-accel-redirect', handOverPath(deps, blob.storage_key));
		if (range !== null) return reply.code(206).send();
		// nginx adds its own header, but only to a response without a range.
		return reply.removeHeader('accept-ranges').send();
	}
	let stream: Readable | undefined;
	// Opened before the file's headers are set. Otherwise an error would be sent and cached with these headers.
	if (!isHead && length > 0) {
		await abortOnSessionEnd(deps, request, reply, () => reply.raw.destroy(), isStillAllowed);
		stream = await openStream(deps, reply, blob, range ?? { start: 0, end: sizeBytes - 1 });
	}
	reply.headers(headers).header('content-length', length);
	if (range !== null) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`);
	// An empty stream, because without a body Fastify would set a content-length of 0.
	return reply.send(isHead ? Readable.from([]) : stream);
}

/** This process sends longer responses itself, so that it can abort them when the user loses access. */
const handOverMaxBytes = 1024 * 1024;

/**
 * Whether nginx may send the bytes instead (setting X_ACCEL_REDIRECT). It reads the request's headers itself, so they
 * must have the same meaning to nginx: no condition, and no range or exactly the range that this process would send.
 */
function canHandOver({ config }: Deps, { headers }: FastifyRequest, range: ByteRange | null, length: number): boolean {
	if (config.X_ACCEL_REDIRECT === undefined || length === 0 || length > handOverMaxBytes) return false;
	if (conditionHeaders.some((name) => headers[name] !== undefined)) return false;
	return headers.range === (range === null ? undefined : `bytes=${range.start}-${range.end}`);
}

const conditionHeaders = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range'];

/** Returns the internal path of a stored file, which nginx decodes. The client never sees it. */
function handOverPath({ config }: Deps, storageKey: string): string {
	return `${config.X_ACCEL_REDIRECT}/${storageKey.split('/').map(encodeURIComponent).join('/')}`;
}

async function openStream({ storage, log }: Deps, reply: FastifyReply, bytes: SendableBytes, range: ByteRange) {
	const stream = await ('spliced' in bytes
		? readSplicedBytes(storage, bytes.spliced, range)
		: storage.read(bytes.storage_key, range));
	stream.once('error', (error) => {
		const { headersSent, destroyed, socket } = reply.raw;
		// Without sent headers, the error becomes the response.
		if (!headersSent || destroyed || socket?.destroyed) return;
		const level = isStorageUnavailable(error) ? 'warn' : 'error';
		log[level]({ why: describeError(error), file: bytes.id }, 'stored file not sent to its end');
	});
	// The client may have disconnected while the file was looked up.
	if (reply.raw.destroyed) stream.destroy();
	else reply.raw.once('close', () => stream.destroy());
	return stream;
}

/**
 * Returns the content type and attachment name for sending a file: files with a preview are displayed, others are
 * attachments. A PDF is an attachment too, because our own reader displays it.
 * @param query `download` makes any file an attachment
 */
export function presentationOf(name: string, contentType: string, query: { download?: unknown }) {
	const preview = query.download === undefined ? previewOf(name, contentType) : null;
	return {
		contentType: preview === null ? 'application/octet-stream' : previewContentType(preview, contentType),
		...((preview === null || preview === 'pdf') && { attachmentName: name }),
	};
}

/** Returns the Content-Disposition. A PDF is always an attachment, because Chromium's viewer runs its scripts. */
function dispositionOf(contentType: string, attachmentName: string | undefined): Record<string, string> {
	if (attachmentName !== undefined) return { 'content-disposition': attachmentDisposition(attachmentName) };
	return contentType === 'application/pdf' ? { 'content-disposition': 'attachment' } : {};
}

/** Returns a Content-Disposition with an ASCII fallback and the full name (RFC 6266, RFC 8187). */
export function attachmentDisposition(name: string): string {
	const asciiName = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
	const encoded = encodeURIComponent(name.toWellFormed()).replace(
		/['()*!]/gu,
		(c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	return `attachment; filename="${asciiName}"; filename*=UTF-8''${encoded}`;
}

interface CsvFile {
	/** Start of the file name; the day is appended. */
	name: string;
	header: readonly string[];
	rows: () => AsyncIterable<readonly string[]>;
}

/** Streams rows as a CSV download, which is aborted when the session ends. */
export async function sendCsv(deps: Deps, request: FastifyRequest, reply: FastifyReply, file: CsvFile) {
	const day = dayOf(deps.clock.now().toISOString(), deps.config.TIME_ZONE);
	reply.headers({
		'content-type': 'text/csv; charset=utf-8; header=present',
		'content-disposition': attachmentDisposition(`${file.name}-${day}.csv`),
	});
	if (request.method === 'HEAD') return reply.send(Readable.from([]));
	await abortOnSessionEnd(deps, request, reply, () => reply.raw.destroy());
	return reply.send(createCsvStream(file.header, file.rows()));
}
