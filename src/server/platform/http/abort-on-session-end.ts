import type { FastifyReply, FastifyRequest } from 'fastify';
import { getConnectionKeys } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { resolveSession, sessionCookie } from '../auth/sessions/sessions.ts';
import type { Deps } from '../deps.ts';
import type { LiveConnection } from '../realtime/live-connections.ts';

/**
 * Puts a request that goes on for long on the list of what ends with its session, then looks at the session once more:
 * it may have ended between the guard and the list. Call before the answer begins. `isStillAllowed`: the right to what is sent.
 * @throws AppError UNAUTHORIZED, ACCOUNT_INACTIVE when it has ended, TWO_FACTOR_REQUIRED when it is restricted by now
 */
export async function abortOnSessionEnd(
	deps: Deps,
	request: FastifyRequest,
	reply: FastifyReply,
	end: LiveConnection['end'],
	isStillAllowed?: LiveConnection['isStillAllowed'],
): Promise<void> {
	const { actor } = request.caller;
	if (actor === null) return;
	const forget = deps.live.add({ ...getConnectionKeys(actor), end, isStillAllowed });
	// Gone already: nothing would take it off the list again.
	if (reply.raw.destroyed) forget();
	else reply.raw.once('close', forget);
	const session = await resolveSession(deps, request.cookies[sessionCookie]);
	const { isForSetUp = false } = request.routeOptions.config;
	const isRestricted = session.state === 'live' && session.actor.mustSetUpTwoFactor && !isForSetUp;
	if (session.state === 'live' && !isRestricted) return;
	forget();
	if (isRestricted) throw new AppError('TWO_FACTOR_REQUIRED');
	throw new AppError(session.state === 'inactive' ? 'ACCOUNT_INACTIVE' : 'UNAUTHORIZED');
}
