import '@fastify/multipart';
import '@fastify/cookie';
import type { Access } from '#contract/core/endpoint.ts';
import type { Caller } from '../actor.ts';
import type { SessionState } from '../auth/sessions/sessions.ts';

declare module 'fastify' {
	interface FastifyContextConfig {
		/** Who may call the route at all; a route without it is refused at registration. */
		access?: Access | 'screen';
		/** Set for plain form posts (no JSON): they are checked by Origin / Sec-Fetch-Site alone. */
		isForm?: boolean;
		/** Open to an admin who must set two-factor sign-in up first. */
		isForSetUp?: boolean;
		/** Each failure carries {success: false, error} beside the error body. */
		tellsSuccess?: boolean;
		/** Gives something that a person opens by a link: where a browser itself asks, failures are pages in words. */
		isLink?: boolean;
		/** The address itself is a secret: no log line carries it. */
		hasSecretPath?: boolean;
		/** A write that is open while the session sees the product as a member does. */
		isOpenInView?: boolean;
		/** Puts itself on the list of what ends with its session. */
		isHeld?: boolean;
	}

	interface FastifyInstance {
		/** Every registered route, for the API's description and the access tests. */
		routeList: Array<{ method: string; url: string; access: Access | 'screen' }>;
	}

	interface FastifyRequest {
		caller: Caller;
		session: SessionState;
	}
}
