import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import { type Config, hasProxy } from '../config.ts';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Requires that a write comes from one of our pages, by its Origin and Sec-Fetch-Site headers. Our origins are
 * PUBLIC_URL and, without a proxy, `localhost`, `127.0.0.1` and `[::1]`. Another address is refused even if it is the
 * Host of the request, because any site can let its own name resolve to this server (DNS rebinding). Clients that are
 * not browsers send no Origin and are allowed.
 * @throws AppError WRONG_ORIGIN; its message names PUBLIC_URL when the page was opened under an unknown address
 */
export function requireOwnOrigin(request: FastifyRequest, config: Config): void {
	refuseOtherSites(request, config);
	const { origin } = request.headers;
	if (origin === undefined || origin === config.PUBLIC_URL) return;
	const { hostname, origin: address } = new URL(origin);
	if (!hasProxy(config) && loopbackNames.has(hostname)) return;
	throw new AppError('WRONG_ORIGIN', { messageKey: 'error_unknown_address', params: { address } });
}

/** Like {@link requireOwnOrigin}, but allows an unknown address if it is the Host of the request. */
export function refuseOtherSites({ headers, protocol }: FastifyRequest, { PUBLIC_URL }: Config): void {
	const site = headers['sec-fetch-site'];
	if (site === 'cross-site' || site === 'same-site') throw new AppError('WRONG_ORIGIN');
	if (headers.origin === undefined || headers.origin === PUBLIC_URL) return;
	if (URL.parse(headers.origin)?.origin !== `${protocol}://${headers.host}`) throw new AppError('WRONG_ORIGIN');
}
