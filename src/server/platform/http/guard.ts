import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import { resolveSession, sessionCookie, sessionSeconds } from '../auth/sessions/sessions.ts';
import type { Deps } from '../deps.ts';
import { yieldToEventLoop } from '../event-loop.ts';
import { chooseLocale, siteIdentity } from '../site-identity.ts';
import { abortOnSessionEnd } from './abort-on-session-end.ts';
import { normalizeIpAddress } from './ip-addresses.ts';
import { refuseOtherSites, requireOwnOrigin } from './own-origin.ts';

const readMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Adds the hook that sets `request.caller` and checks access before the body is parsed.
 * @throws Error at the registration of a route without `access`
 */
export function addGuard(app: FastifyInstance, deps: Deps): void {
	app.decorateRequest('caller');
	app.decorateRequest('session');
	app.decorateRequest('siteName', '');
	app.decorateRequest('revocationsBeforeCheck', 0);

	app.decorate('routeList', []);
	app.addHook('onRoute', ({ method, url, config }) => {
		const access = config?.access;
		if (access === undefined)
			throw new Error(`${String(method)} ${url} does not declare who may call it (config.access).`);
		for (const oneMethod of [method].flat()) app.routeList.push({ method: oneMethod, url, access });
	});

	app.addHook('onRequest', async (request, reply) => {
		const { access = 'public', checksOriginItself = false, ...config } = request.routeOptions.config;
		const { isForSetUp = false, isOpenInView = false, isHeld = false } = config;
		if (config.isHealthCheck) return;
		const identity = await siteIdentity()(deps);
		request.siteName = identity.texts[chooseLocale(request, identity)].wordmark;
		request.caller = {
			actor: null,
			ip: normalizeIpAddress(request.ip),
			userAgent: (request.headers['user-agent'] ?? '').slice(0, 500),
			locale: chooseLocale(request, identity),
		};
		request.session = { state: 'none' };
		const isWrite = !readMethods.has(request.method);
		if (isWrite) (checksOriginItself ? refuseOtherSites : requireOwnOrigin)(request, deps.config);
		request.revocationsBeforeCheck = deps.live.revocationCount();
		request.session = await resolveSession(deps, request.cookies[sessionCookie]);
		if (request.session.state === 'live') {
			request.caller.actor = request.session.actor;
			request.caller.locale = chooseLocale(request, identity, true);
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

/** Aborts a request whose body is still arriving when the session ends or the role changes. */
async function abortRequestBodyOnSessionEnd(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<void> {
	// After this, a body that was sent together with its headers is complete and needs no second session lookup.
	await yieldToEventLoop();
	if (request.raw.complete) return;
	return abortOnSessionEnd(deps, request, reply, () => {
		if (!request.raw.complete) request.raw.destroy();
	});
}

/** Returns options for cookies that scripts cannot read. Other sites' requests have them only if a link is followed. */
export function sessionCookieOptions(deps: Deps) {
	return { path: '/', httpOnly: true, sameSite: 'lax', secure: deps.config.isSecure } as const;
}

export function setSessionCookie(deps: Deps, reply: FastifyReply, token: string): void {
	reply.setCookie(sessionCookie, token, { ...sessionCookieOptions(deps), maxAge: sessionSeconds });
}
