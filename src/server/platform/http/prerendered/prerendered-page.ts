import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const encodings = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof encodings)[number];

/** A rendered page that is the same for many visitors, with a response for each encoding. */
export interface PrerenderedPage {
	etag: string;
	responses: Record<Encoding, PrerenderedResponse>;
	/** 304, for a client that has the page already. */
	notModified: PrerenderedResponse;
}

/** One object, shared by all clients that get this response. */
export interface PrerenderedResponse {
	status: 200 | 304;
	headers: Record<string, string>;
	body?: Buffer;
}

/**
 * Compresses a page once for all clients. Not for pages with both a secret and text that an attacker can choose: their
 * compressed length would reveal the secret (the BREACH attack).
 */
export async function prerenderPage(html: string): Promise<PrerenderedPage> {
	const identity = Buffer.from(html);
	const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length };
	const [br, gz] = await Promise.all([brotli(identity, { params }), zip(identity, { level: 9 })]);
	// A weak ETag, because the three encodings have the same content but different bytes.
	const etag = `W/"${createHash('sha256').update(identity).digest('base64url')}"`;
	const headers = { 'cache-control': 'no-cache', etag, vary: 'accept-encoding, cookie, user-agent' };
	const answer = (body: Buffer, encoding?: Encoding): PrerenderedResponse => ({
		status: 200,
		headers: {
			...headers,
			'content-type': 'text/html; charset=utf-8',
			...(encoding && { 'content-encoding': encoding }),
		},
		body,
	});
	return {
		etag,
		responses: { br: answer(br, 'br'), gzip: answer(gz, 'gzip'), identity: answer(identity) },
		notModified: { status: 304, headers },
	};
}

/** Sends a prerendered page. */
export function sendPrerenderedPage(request: FastifyRequest, reply: FastifyReply, page: PrerenderedPage): FastifyReply {
	const { status, headers, body } = selectResponse(request.headers, page);
	return reply.code(status).headers(headers).send(body);
}

/** Returns the response in the best encoding that the client accepts, or 304 if the client has the page. */
export function selectResponse(
	asked: IncomingHttpHeaders,
	{ etag, responses: answers, notModified: unchanged }: PrerenderedPage,
): PrerenderedResponse {
	if (asked['if-none-match']?.includes(etag) === true) return unchanged;
	return answers[encodingFor(asked['accept-encoding'])];
}

/** Caches results for the few header values that browsers send; beyond the limit a value is parsed each time. */
const encodingCache = new Map<string, Encoding>();
const maxCachedEncodings = 100;

/** Returns the first of our encodings that `Accept-Encoding` accepts (RFC 9110, section 12.5.3). */
function encodingFor(accepted: string | string[] | undefined): Encoding {
	const asked = String(accepted ?? '');
	const known = encodingCache.get(asked);
	if (known !== undefined) return known;
	const named = asked
		.toLowerCase()
		.split(',')
		.map((each) => each.trim());
	const isNamed = (ours: string) => named.some((each) => each === ours || isAcceptedEncoding(each, ours));
	const encoding = encodings.find(isNamed) ?? 'identity';
	if (encodingCache.size < maxCachedEncodings) encodingCache.set(asked, encoding);
	return encoding;
}

function isAcceptedEncoding(each: string, ours: string): boolean {
	const [name, weight] = each.split(';');
	return name?.trim() === ours && !/^\s*q=0(?:\.0*)?\s*$/u.test(weight ?? '');
}
