import type { Role } from '#contract/accounts/account.ts';
import type { Locale } from '#contract/core/text.ts';
import { AppError } from './app-error.ts';
import type { LiveConnectionSummary } from './realtime/live-connections.ts';

export interface Actor {
	userId: string;
	email: string;
	name: string | null;
	role: Role;
	sessionId: string;
	hasInitialPassword: boolean;
	/** Whether the user is an admin who has to set up two-factor sign-in before anything else. */
	mustSetUpTwoFactor: boolean;
	/** The admin who impersonates this member, read only; null without an impersonation. */
	impersonatedBy: { userId: string; email: string; endsAt: string } | null;
}

/** Returns the user who signed in: the admin during an impersonation, otherwise the actor. */
export function getSessionOwner(actor: Actor): { userId: string; email: string } {
	return actor.impersonatedBy ?? actor;
}

/** Returns the keys by which an open connection is found when its session or impersonation ends. */
export function getConnectionKeys({ sessionId, userId, role, impersonatedBy }: Actor): LiveConnectionSummary {
	if (impersonatedBy === null) return { sessionId, userId, role };
	// Only admins can impersonate.
	return { sessionId, userId: impersonatedBy.userId, role: 'admin', viewedUserId: userId };
}

/** Who sent a request: user, IP address, user agent and language. */
export interface Caller {
	/** Null for a visitor, and for a session that has ended. */
	actor: Actor | null;
	/** Client IP address; headers of untrusted proxies are ignored. 'Unknown' if there is none. */
	ip: string;
	userAgent: string;
	locale: Locale;
}

export interface MemberCaller extends Caller {
	actor: Actor;
}

export function requireActor({ actor }: Caller): Actor {
	if (actor === null) throw new AppError('UNAUTHORIZED');
	return actor;
}

/** Returns the caller with a non-null actor, for routes that require a sign-in. @throws AppError UNAUTHORIZED */
export function requireMember(caller: Caller): MemberCaller {
	return { ...caller, actor: requireActor(caller) };
}
