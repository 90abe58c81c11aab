import type { LightMyRequestResponse } from 'fastify';
import type { AccessFixture, AccessRequest } from '../access-fixture.ts';
import type { Actor } from '../access-table.ts';

/** How a registered route is called by each actor, and what the right bytes are. */
export interface AccessCall {
	/** The request on a target that is there. */
	request(world: AccessFixture, actor: Actor): AccessRequest | Promise<AccessRequest>;
	/** The same for a target that does not exist; a refusal with 404 must be equal to it. */
	absent?(world: AccessFixture): AccessRequest;
	/** Whether what was allowed has happened, and the answer is the right one. */
	check(
		world: AccessFixture,
		response: LightMyRequestResponse,
		request: AccessRequest,
		actor: Actor,
	): void | Promise<void>;
	/** Answers bytes that can be asked for in ranges. */
	hasRanges?: boolean;
}

/** Calls by method and pattern, as the table names them. */
export type AccessCalls = Readonly<Record<string, AccessCall>>;
