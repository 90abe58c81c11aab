import '@fastify/multipart';
import '@fastify/cookie';
import type { Access } from '#contract/core/endpoint.ts';
import type { Caller } from '../actor.ts';
import type { SessionState } from '../auth/sessions/sessions.ts';

declare module 'fastify' {
	interface FastifyContextConfig {
		/** Who may call the route at all; a route without it is refused at registration. */
		access?: Access | 'screen';
		/** Set for form posts that are not JSON: they are checked by Origin / Sec-Fetch-Site alone. */
		isForm?: boolean;
		/** Open to an admin who still has to set up two-factor sign-in. */
		isForSetUp?: boolean;
		/** Every failure has {success: false, error} besides the error body. */
		tellsSuccess?: boolean;
		/** Opened by links: when the browser navigates to it, failures are HTML pages. */
		isLink?: boolean;
		/** The URL contains a secret and is never logged. */
		hasSecretPath?: boolean;
		/** A write that is allowed during impersonation. */
		isOpenInView?: boolean;
		/** The handler itself registers the request to be aborted when its session ends. */
		isHeld?: boolean;
	}

	interface FastifyInstance {
		/** Every registered route, for the API documentation and the access tests. */
		routeList: Array<{ method: string; url: string; access: Access | 'screen' }>;
	}

	interface FastifyRequest {
		caller: Caller;
		session: SessionState;
	}
}
