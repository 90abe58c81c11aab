import { createHash } from 'node:crypto';
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
	const [br, gz] = await Promise.all([brotli(identity, { params }), zip(identity)]);
	const hash = createHash('sha256').update(identity).digest('base64url');
	// Weak: of three bodies that mean the same.
	return { etag: `W/"${hash}"`, bodies: { br, gzip: gz, identity } };
}

/** Sends a packed page in the best encoding that is accepted, or 304 to whoever has it. */
export function sendReadyPage(request: FastifyRequest, reply: FastifyReply, { etag, bodies }: ReadyPage): FastifyReply {
	reply.headers({ 'cache-control': 'no-cache', etag, vary: 'accept-encoding, cookie, user-agent' });
	if (request.headers['if-none-match']?.includes(etag) === true) return reply.code(304).send();
	const encoding = encodingFor(request.headers['accept-encoding']);
	if (encoding !== 'identity') reply.header('content-encoding', encoding);
	return reply.type('text/html; charset=utf-8').send(bodies[encoding]);
}

/** The first of ours that `Accept-Encoding` names without refusing it (RFC 9110, section 12.5.3). */
function encodingFor(accepted: string | string[] | undefined): keyof ReadyPage['bodies'] {
	const named = String(accepted ?? '')
		.split(',')
		.filter((each) => !/;\s*q=0(?:\.0*)?\s*$/u.test(each))
		.map((each) => each.split(';')[0]?.trim().toLowerCase());
	return (['br', 'gzip'] as const).find((ours) => named.includes(ours)) ?? 'identity';
}
