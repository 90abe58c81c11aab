import { reservedOwners } from '#contract/files/files.ts';
import { type Actor, type Caller, requireActor } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Deps } from '../../../platform/deps.ts';
import { findUserByEmail } from '../../accounts/index.ts';

/** Whether a user may read a space: members only their own space and `guest`, admins every space. */
export function canReadSpace(actor: Pick<Actor, 'userId' | 'role'>, ownerId: string): boolean {
	return actor.role === 'admin' || ownerId === 'guest' || ownerId === actor.userId;
}

export function canWriteSpace(actor: Actor): boolean {
	return actor.role === 'admin';
}

export interface Space {
	id: string;
	/** The owner's address, or the name of a reserved space. */
	email: string;
}

/** Resolves `me`, a reserved owner or an address. @throws AppError NOT_FOUND for an absent or forbidden space */
export async function requireSpace(deps: Deps, caller: Caller, owner: string): Promise<Space> {
	const actor = requireActor(caller);
	const space = await findSpace(deps, actor, owner);
	if (space === undefined || !canReadSpace(actor, space.id)) throw new AppError('NOT_FOUND');
	return space;
}

/** Like {@link requireSpace}, without checking whether the actor may read the space. */
export async function findSpace(deps: Deps, actor: Actor, owner: string): Promise<Space | undefined> {
	if (owner === 'me') return { id: actor.userId, email: actor.email };
	const reserved = reservedOwners.find((name) => name === owner.toLowerCase());
	if (reserved !== undefined) return { id: reserved, email: reserved };
	const user = await findUserByEmail(deps.db, owner);
	return user && { id: user.id, email: user.email };
}
