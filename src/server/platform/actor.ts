import type { Role } from '#contract/account/account.ts';
import type { Locale } from '#contract/storefront/landing.ts';

/** A signed-in, active person. */
export interface Actor {
	userId: string;
	email: string;
	name: string | null;
	role: Role;
	sessionId: string;
	hasInitialPassword: boolean;
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
