import { createPasswordLink, setPasswordByLink } from '#server/features/accounts/passwords/password-links.ts';
import { signIn, signOut } from '#server/features/accounts/sign-in/sign-in.service.ts';
import { createUser, findUserByEmail } from '#server/features/accounts/users/users.service.ts';
import type { Caller } from '#server/platform/actor.ts';
import { hashPassword } from '#server/platform/auth/passwords/passwords.ts';
import { resolveSession } from '#server/platform/auth/sessions/sessions.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type Calendar, depsAt } from './calendar.ts';

/** Everybody in the demo signs in with this. */
export const demoPassword = 'build-your-empire';

/** The shop's owner. */
export const owner = { email: 'rohan@folio.example', name: 'Rohan Kulkarni' };

const linkSeconds = 3600;
const browsers = [
	'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36',
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36',
	'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
] as const;

/** A caller without a session, from an address (RFC 5737) and a browser that stay the same for one person. */
export function visitorFor(email: string): Caller {
	const number = [...email].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
	return {
		actor: null,
		ip: `203.0.113.${1 + (number % 250)}`,
		userAgent: browsers[number % browsers.length] ?? browsers[0],
		locale: 'en',
	};
}

interface NewMember {
	email: string;
	name: string | null;
	role?: 'user' | 'admin';
	/** The password counts as mailed, so the reminder to change it shows. */
	isInitialPassword?: boolean;
}

export async function makeMember(deps: Deps, member: NewMember): Promise<void> {
	const passwordHash = await hashPassword(demoPassword);
	await inTransaction(deps.db, (tx) =>
		createUser(deps, tx, {
			email: member.email,
			name: member.name,
			role: member.role ?? 'user',
			passwordHash,
			isInitialPassword: member.isInitialPassword ?? false,
		}),
	);
}

/** Gives a buyer the demo's password, by a link as the mail has one. */
export async function chooseDemoPassword(deps: Deps, email: string): Promise<void> {
	const user = await findUserByEmail(deps.db, email);
	if (user === undefined) throw new Error(`There is no account for ${email}.`);
	const { token } = await inTransaction(deps.db, (tx) => createPasswordLink(deps, tx, user.id, linkSeconds));
	await setPasswordByLink(deps, visitorFor(email), { token, password: demoPassword });
}

/** Signs in with the demo's password. @returns the caller with their session */
export async function callerFor(deps: Deps, email: string): Promise<Caller> {
	const visitor = visitorFor(email);
	const { token } = await signIn(deps, visitor, { email, password: demoPassword });
	const session = await resolveSession(deps, token);
	if (session.state !== 'live') throw new Error(`${email} is not signed in: ${session.state}.`);
	return { ...visitor, actor: session.actor };
}

/** Signs a user in and out, once on each of some days: for the history and the count that cards show. */
export async function signInOnDays(
	deps: Deps,
	calendar: Calendar,
	email: string,
	days: readonly number[],
	time: string,
): Promise<void> {
	for (const day of [...days].sort((a, b) => b - a)) {
		const then = depsAt(deps, calendar(day, time));
		await signOut(then, await callerFor(then, email));
	}
}

/** Stays signed in on two more devices, as people do: what /account lists. */
export async function seedDevices(deps: Deps, calendar: Calendar, email: string): Promise<void> {
	for (const [i, userAgent] of [browsers[2], browsers[1]].entries()) {
		const then = depsAt(deps, calendar(6 - i * 4, '19:40'));
		await signIn(
			then,
			{ ...visitorFor(email), userAgent, ip: `198.51.100.${24 + i}` },
			{ email, password: demoPassword },
		);
	}
}
