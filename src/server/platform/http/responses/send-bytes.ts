import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { previewContentType, previewOf } from '#contract/files/file-types.ts';
import { createCsvStream } from '../../csv.ts';
import type { Schema } from '../../database/schema.ts';
import type { Deps } from '../../deps.ts';
import { dayOf } from '../../format.ts';
import type { ByteRange } from '../../storage/storage.ts';
import { abortOnSessionEnd } from '../abort-on-session-end.ts';
import { filePolicy } from '../security-headers.ts';

/** A stored file to send. The caller of {@link sendBlob} has to check access for every request. */
interface SendableBytes {
	storageKey: string;
	sizeBytes: number;
	contentType: string;
	etag: string;
	/** File name of a download; without it, the browser displays the file, except a PDF. */
	attachmentName?: string;
	/** Default: `private, no-cache`. */
	cacheControl?: string;
	/** Whether the caller may still read the bytes; called when access changes while they are being sent. */
	isStillAllowed?: () => Promise<boolean>;
}

/** Sends a file or one range of it (RFC 9110, section 14); the response is aborted when the session ends. */
async function sendBytes(deps: Deps, request: FastifyRequest, reply: FastifyReply, bytes: SendableBytes) {
	const etag = `"${bytes.etag}"`;
	const headers = {
		'accept-ranges': 'bytes',
		'cache-control': bytes.cacheControl ?? 'private, no-cache',
		'content-security-policy': filePolicy,
		'content-type': bytes.contentType,
		etag,
		...dispositionOf(bytes),
	};
	if (request.headers['if-none-match'] === etag) return reply.code(304).headers(headers).send();
	const range = parseRange(request, bytes.sizeBytes, etag);
	if (range === 'unsatisfiable') {
		reply.code(416).headers(headers).header('content-range', `bytes */${bytes.sizeBytes}`);
		return reply.removeHeader('content-type').send();
	}
	const length = range === null ? bytes.sizeBytes : range.end - range.start + 1;
	// Opened before the file's headers are set. Otherwise an error would be sent and cached with these headers.
	const stream = request.method === 'HEAD' || length === 0 ? null : await openBytes(deps, request, reply, bytes, range);
	reply.headers(headers).header('content-length', length);
	if (range !== null) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${bytes.sizeBytes}`);
	// An empty stream, because without a body Fastify would set a content-length of 0.
	if (request.method === 'HEAD') return reply.send(Readable.from([]));
	return stream === null ? reply.send() : reply.send(stream);
}

async function openBytes(
	deps: Deps,
	request: FastifyRequest,
	reply: FastifyReply,
	bytes: SendableBytes,
	range: ByteRange | null,
): Promise<Readable> {
	await abortOnSessionEnd(deps, request, reply, () => reply.raw.destroy(), bytes.isStillAllowed);
	const stream = await deps.storage.read(bytes.storageKey, range ?? undefined);
	// The client may have disconnected while the file was looked up.
	if (reply.raw.destroyed) stream.destroy();
	else reply.raw.once('close', () => stream.destroy());
	return stream;
}

/** Sends a stored blob. Its id is the ETag, because changed content is stored as a new blob. */
export function sendBlob(
	deps: Deps,
	request: FastifyRequest,
	reply: FastifyReply,
	blob: Pick<Schema['blobs'], 'id' | 'storage_key' | 'size_bytes' | 'content_type'>,
	overrides: Partial<SendableBytes> = {},
): Promise<FastifyReply> {
	return sendBytes(deps, request, reply, {
		storageKey: blob.storage_key,
		sizeBytes: blob.size_bytes,
		contentType: blob.content_type,
		etag: blob.id,
		...overrides,
	});
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
function dispositionOf({ attachmentName, contentType }: SendableBytes): Record<string, string> {
	if (attachmentName !== undefined) return { 'content-disposition': attachmentDisposition(attachmentName) };
	return contentType === 'application/pdf' ? { 'content-disposition': 'attachment' } : {};
}

/** Returns the requested range; null for no, several or an invalid range, or if `If-Range` is not this version. */
function parseRange(request: FastifyRequest, sizeBytes: number, etag: string): ByteRange | 'unsatisfiable' | null {
	const { range } = request.headers;
	const condition = request.headers['if-range'];
	if (range === undefined || (condition !== undefined && condition !== etag)) return null;
	const match = /^bytes=(\d*)-(\d*)$/u.exec(range.trim());
	if (match === null || (match[1] === '' && match[2] === '')) return null;
	if (match[1] === '') {
		const suffixLength = Number(match[2]);
		return suffixLength === 0 || sizeBytes === 0
			? 'unsatisfiable'
			: { start: Math.max(0, sizeBytes - suffixLength), end: sizeBytes - 1 };
	}
	const start = Number(match[1]);
	const end = match[2] === '' ? sizeBytes - 1 : Math.min(Number(match[2]), sizeBytes - 1);
	if (start >= sizeBytes) return 'unsatisfiable';
	return end < start ? null : { start, end };
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
