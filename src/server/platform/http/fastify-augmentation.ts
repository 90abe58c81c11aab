import '@fastify/multipart';
import '@fastify/cookie';
import type { Access, EndpointMeta } from '#contract/core/endpoint.ts';
import type { Caller } from '../actor.ts';
import type { SessionState } from '../auth/sessions/sessions.ts';

declare module 'fastify' {
	interface FastifyContextConfig extends Pick<EndpointMeta, 'isForSetUp' | 'isOpenInView' | 'tellsSuccess'> {
		/** Who may call the route; registering a route without `access` throws an error. */
		access?: Access | 'screen';
		/** Set for form posts, which are not JSON: they are checked by Origin and Sec-Fetch-Site alone. */
		isForm?: boolean;
		/** Whether users open the URL by a link: failures are then HTML pages when a browser navigates to it. */
		isLink?: boolean;
		/** Whether the URL contains a secret: then the route's pattern is logged instead. */
		hasSecretPath?: boolean;
		/** Whether the handler calls abortOnSessionEnd() itself. */
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
