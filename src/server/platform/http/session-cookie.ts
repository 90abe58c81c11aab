import type { FastifyReply } from 'fastify';
import { sessionCookie, sessionSeconds } from '../auth/sessions/sessions.ts';
import type { Deps } from '../deps.ts';

/** How the cookies of a signed-in browser are kept; HttpOnly, not sent along by other sites. */
export function sessionCookieOptions(deps: Deps) {
	return { path: '/', httpOnly: true, sameSite: 'lax', secure: deps.config.isSecure } as const;
}

/** Gives the browser a session's token, to be kept as long as the session lasts from now on. */
export function setSessionCookie(deps: Deps, reply: FastifyReply, token: string): void {
	reply.setCookie(sessionCookie, token, { ...sessionCookieOptions(deps), maxAge: sessionSeconds });
}
