import '@fastify/multipart';
import '@fastify/cookie';
import type { Access, EndpointMeta } from '#contract/core/endpoint.ts';
import type { Caller } from '../actor.ts';
import type { SessionState } from '../auth/sessions/sessions.ts';

declare module 'fastify' {
	interface FastifyContextConfig extends Pick<EndpointMeta, 'isForSetUp' | 'isOpenInView' | 'tellsSuccess'> {
		/** Who may call the route; registering a route without `access` throws an error. */
		access?: Access | 'screen';
		/** Whether the route answers without looking up session and storefront. `request.caller` is then undefined. */
		isHealthCheck?: boolean;
		/** Whether the route receives form posts instead of JSON. */
		isForm?: boolean;
		/** Whether the handler itself calls requireOwnOrigin(), so that its error page can show what the buyer has typed. */
		checksOriginItself?: boolean;
		/** Whether users open the URL by a link: failures are then HTML pages when a browser navigates to it. */
		isLink?: boolean;
		/** Whether the URL contains a secret. Then the log contains the route's pattern instead of the URL. */
		hasSecretPath?: boolean;
		/** Whether the handler itself calls abortOnSessionEnd(). */
		isHeld?: boolean;
	}

	interface FastifyInstance {
		/** Every registered route, for the API documentation and the access tests. */
		routeList: Array<{ method: string; url: string; access: Access | 'screen' }>;
	}

	interface FastifyRequest {
		caller: Caller;
		session: SessionState;
		/** The wordmark of the storefront in the caller's language. */
		siteName: string;
		/** `deps.live.revocationCount()` from before the session was looked up; see `abortOnSessionEnd`. */
		revocationsBeforeCheck: number;
	}
}
