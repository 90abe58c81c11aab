import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasCurrentResponse } from './if-none-match.ts';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const encodings = ['br', 'gzip'] as const;
type Encoding = (typeof encodings)[number] | 'identity';

/** A rendered page that is the same for many visitors, compressed with each encoding. */
export interface PrerenderedPage {
	etag: string;
	bodies: Record<Encoding, Buffer>;
}

/**
 * Compresses a page. Must not be used for pages with both a secret and text from the request, because the compressed
 * length would reveal the secret (BREACH attack).
 */
export async function prerenderPage(html: string): Promise<PrerenderedPage> {
	const identity = Buffer.from(html);
	const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length };
	const [br, gz] = await Promise.all([brotli(identity, { params }), zip(identity, { level: 9 })]);
	// A weak ETag, because the three encodings have the same content but different bytes.
	const etag = `W/"${createHash('sha256').update(identity).digest('base64url')}"`;
	return { etag, bodies: { br, gzip: gz, identity } };
}

/** Sends a page in the best encoding that the client accepts, or 304 if the client has the page. */
export function sendPrerenderedPage(request: FastifyRequest, reply: FastifyReply, { etag, bodies }: PrerenderedPage) {
	reply.headers({ 'cache-control': 'no-cache', etag, vary: 'accept-encoding, accept-language, cookie, user-agent' });
	if (hasCurrentResponse(request.headers['if-none-match'], etag)) return reply.code(304).send();
	const encoding = encodingFor(request.headers['accept-encoding']);
	if (encoding !== 'identity') reply.header('content-encoding', encoding);
	return reply.type('text/html; charset=utf-8').send(bodies[encoding]);
}

/** Returns the first of {@link encodings} that `Accept-Encoding` accepts (RFC 9110, section 12.5.3). */
function encodingFor(accepted: string | string[] | undefined): Encoding {
	const acceptedEncodings = String(accepted ?? '')
		.toLowerCase()
		.split(',');
	return (
		encodings.find((encoding) => acceptedEncodings.some((entry) => isAcceptedEncoding(entry, encoding))) ?? 'identity'
	);
}

function isAcceptedEncoding(entry: string, encoding: string): boolean {
	const [name, weight] = entry.split(';');
	return name?.trim() === encoding && !/^\s*q=0(?:\.0*)?\s*$/u.test(weight ?? '');
}
