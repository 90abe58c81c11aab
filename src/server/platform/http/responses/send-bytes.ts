import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { previewContentType, previewOf } from '#contract/files/file-types.ts';
import type { Deps } from '../../deps.ts';
import type { ByteRange } from '../../storage/storage.ts';
import { abortOnSessionEnd } from '../abort-on-session-end.ts';
import { filePolicy } from '../security-headers.ts';

/** A stored thing to be sent: authorised by the caller of {@link sendBlob}, anew for every request. */
export interface SendableBytes {
	storageKey: string;
	sizeBytes: number;
	contentType: string;
	etag: string;
	/** The name to save it under; without it the bytes are shown in place, if they are no PDF. */
	attachmentName?: string;
	/** Without it they are asked for anew each time, by this browser alone. */
	cacheControl?: string;
	/** Whether the caller may still read them: asked again when rights change, while they are being sent. */
	isStillAllowed?: () => Promise<boolean>;
}

/** Sends bytes, whole or one range (RFC 9110, section 14), and stops in the middle when the session ends. */
async function sendBytes(
	deps: Deps,
	request: FastifyRequest,
	reply: FastifyReply,
	bytes: SendableBytes,
): Promise<FastifyReply> {
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
	// Before any header of the file is set: a failure is answered as one, and no browser keeps it in the file's place.
	const stream = request.method === 'HEAD' || length === 0 ? null : await openBytes(deps, request, reply, bytes, range);
	reply.headers(headers).header('content-length', length);
	if (range !== null) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${bytes.sizeBytes}`);
	// An empty stream: Fastify would tell a length of 0 for nothing at all.
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
	// Whoever asked may have gone while they were looked for.
	if (reply.raw.destroyed) stream.destroy();
	else reply.raw.once('close', () => stream.destroy());
	return stream;
}

interface StoredBlob {
	id: string;
	storage_key: string;
	size_bytes: number;
	content_type: string;
}

/** Sends a stored blob as what it is kept as, unless told otherwise; another content has another id. */
export function sendBlob(
	deps: Deps,
	request: FastifyRequest,
	reply: FastifyReply,
	blob: StoredBlob,
	otherwise: Partial<SendableBytes> = {},
): Promise<FastifyReply> {
	return sendBytes(deps, request, reply, {
		storageKey: blob.storage_key,
		sizeBytes: blob.size_bytes,
		contentType: blob.content_type,
		etag: blob.id,
		...otherwise,
	});
}

/**
 * How a named file is sent: inline as the type of its preview, else as an attachment. A PDF is an attachment too; our own
 * reader fetches it.
 * @param query `download` asks for an attachment, whatever it is
 */
export function presentationOf(
	name: string,
	contentType: string,
	query: { download?: unknown },
): Pick<SendableBytes, 'contentType' | 'attachmentName'> {
	const preview = query.download === undefined ? previewOf(name, contentType) : null;
	return {
		contentType: preview === null ? 'application/octet-stream' : previewContentType(preview, contentType),
		...((preview === null || preview === 'pdf') && { attachmentName: name }),
	};
}

/**
 * Chromium's own viewer runs the scripts of a PDF in spite of the sandbox that its answer asks for: a PDF is read by our
 * reader, which fetches it, and by no other page.
 */
function dispositionOf({ attachmentName, contentType }: SendableBytes): Record<string, string> {
	if (attachmentName !== undefined) return { 'content-disposition': attachmentDisposition(attachmentName) };
	return contentType === 'application/pdf' ? { 'content-disposition': 'attachment' } : {};
}

/** The one range a request asks for; several ranges, or nonsense, mean the whole. */
export function parseRange(
	request: FastifyRequest,
	sizeBytes: number,
	etag: string,
): ByteRange | 'unsatisfiable' | null {
	const { range } = request.headers;
	const condition = request.headers['if-range'];
	if (range === undefined || (condition !== undefined && condition !== etag)) return null;
	const found = /^bytes=(\d*)-(\d*)$/u.exec(range.trim());
	if (found === null || (found[1] === '' && found[2] === '')) return null;
	if (found[1] === '') {
		const last = Number(found[2]);
		return last === 0 || sizeBytes === 0
			? 'unsatisfiable'
			: { start: Math.max(0, sizeBytes - last), end: sizeBytes - 1 };
	}
	const start = Number(found[1]);
	const end = found[2] === '' ? sizeBytes - 1 : Math.min(Number(found[2]), sizeBytes - 1);
	if (start >= sizeBytes) return 'unsatisfiable';
	return end < start ? null : { start, end };
}

/** Content-Disposition with an ASCII fallback and the true name (RFC 6266, RFC 8187). */
export function attachmentDisposition(name: string): string {
	const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_');
	const encoded = encodeURIComponent(name.toWellFormed()).replace(
		/['()*!]/gu,
		(c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
	);
	return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
