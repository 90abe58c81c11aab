import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../deps.ts';

const strictPolicy = [
	"default-src 'none'",
	"script-src 'self' 'wasm-unsafe-eval'",
	"style-src 'self'",
	"img-src 'self' data: blob:",
	"font-src 'self' data:",
	"media-src 'self' blob:",
	"connect-src 'self'",
	"worker-src 'self' blob:",
	"manifest-src 'self'",
	"form-action 'self'",
	"base-uri 'none'",
	"frame-ancestors 'self'",
];

/** The policy of every answer but the workspace's shell, which may also style by a nonce. */
export function contentSecurityPolicy(styleNonce?: string): string {
	if (styleNonce === undefined) return strictPolicy.join('; ');
	return strictPolicy.map((rule) => (rule.startsWith('style-src') ? `${rule} 'nonce-${styleNonce}'` : rule)).join('; ');
}

/** A file of somebody's, opened at its own address: nothing in it may run or reach out. */
export const filePolicy =
	"default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'";

/** Security headers that every answer carries, hijacked ones too ({@link copyHeaders}). */
export function securityHeaders(deps: Deps): Record<string, string> {
	return {
		'content-security-policy': contentSecurityPolicy(),
		'x-content-type-options': 'nosniff',
		'referrer-policy': 'strict-origin-when-cross-origin',
		'cross-origin-opener-policy': 'same-origin',
		'cross-origin-resource-policy': 'same-origin',
		'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
		'cache-control': 'no-store',
		...(deps.config.isSecure && { 'strict-transport-security': 'max-age=31536000' }),
	};
}

/** Puts {@link securityHeaders} on every answer before anything else happens to the request. */
export function addSecurityHeaders(app: FastifyInstance, deps: Deps): void {
	const headers = securityHeaders(deps);
	app.addHook('onRequest', async (_request, reply) => {
		reply.headers(headers);
	});
}

/** Puts the headers collected so far onto the raw answer of a hijacked reply. */
export function copyHeaders(reply: FastifyReply): void {
	for (const [name, value] of Object.entries(reply.getHeaders())) {
		if (value !== undefined) reply.raw.setHeader(name, value);
	}
}
