import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const encodings = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof encodings)[number];

/** A drawn page that many visitors get alike, and what it is answered with in every encoding that they may ask for. */
export interface PrerenderedPage {
	etag: string;
	responses: Record<Encoding, PrerenderedResponse>;
	/** For whoever has the page already. */
	notModified: PrerenderedResponse;
}

/** One and the same object for all who get this answer. */
export interface PrerenderedResponse {
	status: 200 | 304;
	headers: Record<string, string>;
	body?: Buffer;
}

/**
 * Packs a page once for all who get it. Not for pages that hold a secret beside something a stranger can choose: their
 * packed length would tell of it (the attack called BREACH).
 */
export async function prerenderPage(html: string): Promise<PrerenderedPage> {
	const identity = Buffer.from(html);
	const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length };
	const [br, gz] = await Promise.all([brotli(identity, { params }), zip(identity, { level: 9 })]);
	// Weak: of three bodies that mean the same.
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

/** Sends a packed page. */
export function sendPrerenderedPage(request: FastifyRequest, reply: FastifyReply, page: PrerenderedPage): FastifyReply {
	const { status, headers, body } = selectResponse(request.headers, page);
	return reply.code(status).headers(headers).send(body);
}

/** What a packed page is answered with: in the best encoding that is accepted, or 304 for whoever has it. */
export function selectResponse(
	asked: IncomingHttpHeaders,
	{ etag, responses: answers, notModified: unchanged }: PrerenderedPage,
): PrerenderedResponse {
	if (asked['if-none-match']?.includes(etag) === true) return unchanged;
	return answers[encodingFor(asked['accept-encoding'])];
}

/** What was found for the headers that browsers send, of which there are few; what else comes is looked at each time. */
const encodingCache = new Map<string, Encoding>();
const maxCachedEncodings = 100;

/** The first of ours that `Accept-Encoding` names without refusing it (RFC 9110, section 12.5.3). */
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
