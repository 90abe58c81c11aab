import type { Actor } from '../../../platform/actor.ts';

/** Owners that are no people: the space of every member, and the book's files. */
export const reservedOwners = ['guest', 'book'] as const;

/** Whether this person may read what lies in this space. Members: their own and `guest`; admins: all. */
export function canReadSpace(actor: Pick<Actor, 'userId' | 'role'>, ownerId: string): boolean {
	return actor.role === 'admin' || ownerId === 'guest' || ownerId === actor.userId;
}

/** Whether this person may upload, create, rename and delete in this space. */
export function canWriteSpace(actor: Actor): boolean {
	return actor.role === 'admin';
}

/** Whether files of this space can be shared with somebody: the book's are read as editions only, never as files. */
export function canShareSpace(ownerId: string): boolean {
	return ownerId !== 'book';
}
