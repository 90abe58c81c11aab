import type { Actor, Caller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Deps } from '../../platform/deps.ts';
import { findUserByEmail } from '../account/account.service.ts';
import { canReadSpace, reservedOwners } from './files.policy.ts';

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
	if (owner === 'me') return { id: actor.userId, email: actor.email };
	const reserved = reservedOwners.find((name) => name === owner.toLowerCase());
	const user = reserved === undefined ? await findUserByEmail(deps.db, owner) : undefined;
	const space = reserved !== undefined ? { id: reserved, email: reserved } : user && { id: user.id, email: user.email };
	if (space === undefined || !canReadSpace(actor, space.id)) throw new AppError('NOT_FOUND');
	return space;
}
