import type { LightMyRequestResponse } from 'fastify';
import type { AccessFixture, AccessRequest } from '../access-fixture.ts';
import type { Actor } from '../access-table.ts';

/** Describes how each actor calls a registered route, and how the response is checked. */
export interface AccessCall {
	/** Builds the request for a target that exists. */
	request(world: AccessFixture, actor: Actor): AccessRequest | Promise<AccessRequest>;
	/**
	 * Builds the request for a target that does not exist. A response that denies access with 404 must equal its
	 * response.
	 */
	absent?(world: AccessFixture): AccessRequest;
	/** Checks that an allowed request took effect and that its response is right. */
	check(
		world: AccessFixture,
		response: LightMyRequestResponse,
		request: AccessRequest,
		actor: Actor,
	): void | Promise<void>;
	/** Whether the response consists of bytes that can be requested in ranges. */
	hasRanges?: boolean;
}

/** Calls by method and pattern, as the table names them. */
export type AccessCalls = Readonly<Record<string, AccessCall>>;
