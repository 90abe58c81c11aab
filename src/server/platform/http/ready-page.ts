import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** A drawn page that many visitors get alike, in every encoding that they may ask for. */
export interface ReadyPage {
	etag: string;
	bodies: Record<'br' | 'gzip' | 'identity', Buffer>;
}

/**
 * Packs a page once for all who get it. Not for pages that hold a secret beside something a stranger can choose: their
 * packed length would tell of it (the attack called BREACH).
 */
export async function packPage(html: string): Promise<ReadyPage> {
	const identity = Buffer.from(html);
	const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length };
	const [br, gz] = await Promise.all([brotli(identity, { params }), zip(identity, { level: 9 })]);
	const hash = createHash('sha256').update(identity).digest('base64url');
	// Weak: of three bodies that mean the same.
	return { etag: `W/"${hash}"`, bodies: { br, gzip: gz, identity } };
}

/** Sends a packed page. */
export function sendReadyPage(request: FastifyRequest, reply: FastifyReply, page: ReadyPage): FastifyReply {
	const { status, headers, body } = answerWith(request.headers, page);
	return reply.code(status).headers(headers).send(body);
}

/** What a packed page is answered with: in the best encoding that is accepted, or 304 for whoever has it. */
export function answerWith(
	asked: IncomingHttpHeaders,
	{ etag, bodies }: ReadyPage,
): { status: 200 | 304; headers: Record<string, string>; body?: Buffer } {
	const headers = { 'cache-control': 'no-cache', etag, vary: 'accept-encoding, cookie, user-agent' };
	if (asked['if-none-match']?.includes(etag) === true) return { status: 304, headers };
	const encoding = encodingFor(asked['accept-encoding']);
	return {
		status: 200,
		headers: {
			...headers,
			'content-type': 'text/html; charset=utf-8',
			...(encoding !== 'identity' && { 'content-encoding': encoding }),
		},
		body: bodies[encoding],
	};
}

/** The first of ours that `Accept-Encoding` names without refusing it (RFC 9110, section 12.5.3). */
function encodingFor(accepted: string | string[] | undefined): keyof ReadyPage['bodies'] {
	const named = String(accepted ?? '')
		.toLowerCase()
		.split(',')
		.map((each) => each.trim());
	const isNamed = (ours: string) => named.some((each) => each === ours || isWanted(each, ours));
	return (['br', 'gzip'] as const).find(isNamed) ?? 'identity';
}

function isWanted(each: string, ours: string): boolean {
	const [name, weight] = each.split(';');
	return name?.trim() === ours && !/^\s*q=0(?:\.0*)?\s*$/u.test(weight ?? '');
}
