import { randomBytes } from 'node:crypto';
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
	"frame-src 'self'",
	"frame-ancestors 'self'",
];

/** Returns the Content-Security-Policy of responses; with a nonce, `<style>` elements with this nonce are allowed. */
function contentSecurityPolicy(styleNonce?: string): string {
	if (styleNonce === undefined) return strictPolicy.join('; ');
	return strictPolicy.map((rule) => (rule.startsWith('style-src') ? `${rule} 'nonce-${styleNonce}'` : rule)).join('; ');
}

/** Sends an HTML page whose `<style>` elements have a nonce that is new for each response. */
export function sendHtml(reply: FastifyReply, status: number, render: (nonce: string) => string): FastifyReply {
	const nonce = randomBytes(16).toString('base64');
	reply.code(status).header('content-security-policy', contentSecurityPolicy(nonce));
	return reply.type('text/html; charset=utf-8').send(render(nonce));
}

/** Content-Security-Policy of stored files: they may not run scripts or connect to servers. */
export const filePolicy =
	"default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'";

/** Returns the security headers of every response; hijacked responses need {@link copyHeaders}. */
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

/** Sets {@link securityHeaders} on every response before any other hook runs. */
export function addSecurityHeaders(app: FastifyInstance, deps: Deps): void {
	const headers = securityHeaders(deps);
	app.addHook('onRequest', async (_request, reply) => {
		reply.headers(headers);
	});
}

/** Copies the headers set so far to the raw response of a hijacked reply. */
export function copyHeaders(reply: FastifyReply): void {
	for (const [name, value] of Object.entries(reply.getHeaders())) {
		if (value !== undefined) reply.raw.setHeader(name, value);
	}
}
