import type { Actor, Caller } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { findUserByEmail } from '../../accounts/index.ts';
import { canReadSpace, reservedOwners } from './spaces.policy.ts';

/** A space that the actor may read. */
export interface Space {
	id: string;
	/** The owner's address, or the reserved name. */
	email: string;
}

/** The signed-in person. @throws AppError UNAUTHORIZED */
export function requireActor(caller: Caller): Actor {
	if (caller.actor === null) throw new AppError('UNAUTHORIZED');
	return caller.actor;
}

/** Resolves `me`, a reserved owner or an address. @throws AppError NOT_FOUND, alike for absent and forbidden. */
export async function requireSpace(deps: Deps, caller: Caller, owner: string): Promise<Space> {
	const actor = requireActor(caller);
	const space = await findSpace(deps, actor, owner);
	if (space === undefined || !canReadSpace(actor, space.id)) throw new AppError('NOT_FOUND');
	return space;
}

/** The same without asking whether the actor may read it. */
export async function findSpace(deps: Deps, actor: Actor, owner: string): Promise<Space | undefined> {
	if (owner === 'me') return { id: actor.userId, email: actor.email };
	const reserved = reservedOwners.find((name) => name === owner.toLowerCase());
	if (reserved !== undefined) return { id: reserved, email: reserved };
	const user = await findUserByEmail(deps.db, owner);
	return user && { id: user.id, email: user.email };
}
