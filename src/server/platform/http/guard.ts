import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Locale } from '#contract/storefront/landing.ts';
import { AppError } from '../app-error.ts';
import { resolveSession, sessionCookie } from '../auth/sessions/sessions.ts';
import type { Deps } from '../deps.ts';
import { yieldToEventLoop } from '../event-loop.ts';
import { abortOnSessionEnd } from './abort-on-session-end.ts';
import { normalizeIpAddress } from './ip-addresses.ts';
import { setSessionCookie } from './session-cookie.ts';

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Before anything of a request is parsed: who calls, from where, and whether the route is open to them.
 * A route that does not say who may call it is refused at registration.
 */
export function addGuard(app: FastifyInstance, deps: Deps): void {
	app.decorateRequest('caller');
	app.decorateRequest('session');

	app.decorate('routeList', []);
	app.addHook('onRoute', ({ method, url, config }) => {
		const access = config?.access;
		if (access === undefined) throw new Error(`${String(method)} ${url} does not say who may call it.`);
		for (const each of [method].flat()) app.routeList.push({ method: each, url, access });
	});

	app.addHook('onRequest', async (request, reply) => {
		const { access = 'public', isForSetUp = false, isOpenInView = false, isHeld = false } = request.routeOptions.config;
		request.caller = {
			actor: null,
			ip: normalizeIpAddress(request.ip),
			userAgent: userAgentOf(request),
			locale: localeOf(request),
		};
		request.session = { state: 'none' };
		const isWrite = !readMethods.has(request.method);
		if (isWrite) requireOwnOrigin(request, deps.config.PUBLIC_URL);
		request.session = await resolveSession(deps, request.cookies[sessionCookie]);
		if (request.session.state === 'live') {
			request.caller.actor = request.session.actor;
			if (request.session.isProlonged) setSessionCookie(deps, reply, request.cookies[sessionCookie] ?? '');
		}
		const isReadOnly = !request.is404 && (request.caller.actor?.impersonatedBy ?? null) !== null;
		if (isReadOnly && !isOpenInView && isWrite) throw new AppError('READ_ONLY_VIEW');
		if (access === 'public' || access === 'screen') return;
		if (request.session.state === 'inactive') throw new AppError('ACCOUNT_INACTIVE');
		if (request.caller.actor === null) throw new AppError('UNAUTHORIZED');
		if (request.caller.actor.mustSetUpTwoFactor && !isForSetUp) throw new AppError('TWO_FACTOR_REQUIRED');
		if (access === 'admin' && request.caller.actor.role !== 'admin') throw new AppError('FORBIDDEN');
		if (isWrite && !isHeld && request.raw.complete === false) await abortRequestBodyOnSessionEnd(deps, request, reply);
	});
}

/** Who may call is judged before the body comes: a body that comes slowly ends with the session, or the role, that it began in. */
async function abortRequestBodyOnSessionEnd(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<void> {
	// A body that came along with its head is there by then: nothing is waited for, and nobody looked up once more.
	await yieldToEventLoop();
	if (request.raw.complete) return;
	return abortOnSessionEnd(deps, request, reply, () => {
		if (!request.raw.complete) request.raw.destroy();
	});
}

/** The language a person chose, else English. */
function localeOf(request: FastifyRequest): Locale {
	const asked = (request.query as { lang?: unknown } | undefined)?.lang;
	return asked === 'hi' || asked === 'en' ? asked : request.cookies.lang === 'hi' ? 'hi' : 'en';
}

/**
 * A write must come from our own pages: by its Origin, or where a browser sends none by Sec-Fetch-Site.
 * Clients that are no browsers send neither, and carry nobody's cookies by accident.
 */
function requireOwnOrigin(request: FastifyRequest, publicUrl: string): void {
	const { origin, host } = request.headers;
	const site = request.headers['sec-fetch-site'];
	if (site === 'cross-site' || site === 'same-site') throw new AppError('WRONG_ORIGIN');
	if (origin === undefined) return;
	const url = URL.parse(origin);
	if (url === null || (url.origin !== publicUrl && url.origin !== `${request.protocol}://${host}`))
		throw new AppError('WRONG_ORIGIN');
}

function userAgentOf(request: FastifyRequest): string {
	return (request.headers['user-agent'] ?? '').slice(0, 500);
}
