import type { Role } from '#contract/accounts/account.ts';
import type { Locale } from '#contract/storefront/landing.ts';
import { AppError } from './app-error.ts';

/** A signed-in, active person. */
export interface Actor {
	userId: string;
	email: string;
	name: string | null;
	role: Role;
	sessionId: string;
	hasInitialPassword: boolean;
	/** An admin who must set two-factor sign-in up before anything else is open. */
	mustSetUpTwoFactor: boolean;
	/** While an admin sees the product as this member does, read only: the admin whose session it is. */
	impersonatedBy: { userId: string; email: string; endsAt: string } | null;
}

/** Whose session it is: the admin's own while they see the product as a member does. */
export function getSessionOwner(actor: Actor): { userId: string; email: string } {
	return actor.impersonatedBy ?? actor;
}

/** By what an open connection of this session is found when the session, or the view of a member, ends. */
export function getConnectionKeys(actor: Actor): {
	sessionId: string;
	userId: string;
	role: Role;
	viewedUserId: string | undefined;
} {
	const { sessionId } = actor;
	// Only admins see the product as somebody else does.
	if (actor.impersonatedBy !== null)
		return { sessionId, userId: actor.impersonatedBy.userId, role: 'admin', viewedUserId: actor.userId };
	return { sessionId, userId: actor.userId, role: actor.role, viewedUserId: undefined };
}

/** Who calls, from where, in which language: handed to every service. */
export interface Caller {
	/** Null for a visitor, and for a session that has ended. */
	actor: Actor | null;
	/** The address that the server sees (through trusted proxies only); 'Unknown' where there is none. */
	ip: string;
	userAgent: string;
	locale: Locale;
}

/** A caller whose route let only members in. */
export interface MemberCaller extends Caller {
	actor: Actor;
}

/** A caller known to be signed in, which the guard has made sure of. @throws AppError UNAUTHORIZED */
export function requireMember(caller: Caller): MemberCaller {
	const { actor } = caller;
	if (actor === null) throw new AppError('UNAUTHORIZED');
	return { ...caller, actor };
}
