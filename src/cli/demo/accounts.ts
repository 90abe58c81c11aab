import { createPasswordLink, setPasswordByLink } from '#server/features/accounts/passwords/password-links.ts';
import { signIn, signOut } from '#server/features/accounts/sign-in/sign-in.service.ts';
import { createUser, findUserByEmail } from '#server/features/accounts/users/users.service.ts';
import type { Caller, MemberCaller } from '#server/platform/actor.ts';
import { hashPassword } from '#server/platform/auth/passwords/passwords.ts';
import { resolveSession } from '#server/platform/auth/sessions/sessions.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { DepsAt } from './sample-data.ts';

export const demoPassword = 'build-your-empire';

export const owner = { email: 'rohan@folio.example', name: 'Rohan Kulkarni' };

const linkSeconds = 3600;
const browsers = [
	'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36',
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36',
	'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
] as const;

/** Returns a caller without a session. The same user always gets the same IP address (RFC 5737) and browser. */
export function visitorFor(email: string): Caller {
	const number = [...email].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
	const userAgent = browsers[number % browsers.length] ?? browsers[0];
	return { actor: null, ip: `203.0.113.${1 + (number % 250)}`, userAgent, locale: 'en' };
}

interface NewMember {
	email: string;
	name: string;
	role?: 'user' | 'admin';
	/** Marks the password as mailed, so that the user is reminded to change it. */
	isInitialPassword?: boolean;
}

export async function makeMember(
	deps: Deps,
	{ role = 'user', isInitialPassword = false, ...person }: NewMember,
): Promise<void> {
	const passwordHash = await hashPassword(demoPassword);
	await inTransaction(deps.db, (tx) => createUser(deps, tx, { ...person, role, passwordHash, isInitialPassword }));
}

/** Sets a buyer's password to the demo password, with a link like the one in a mail. */
export async function chooseDemoPassword(deps: Deps, email: string): Promise<void> {
	const { actor } = await memberFor(deps, email);
	const { token } = await inTransaction(deps.db, (tx) => createPasswordLink(deps, tx, actor.userId, linkSeconds));
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

/** Returns a caller for a user without signing in, so that the login history does not change. */
export async function memberFor(deps: Deps, email: string): Promise<MemberCaller> {
	const user = await findUserByEmail(deps.db, email);
	if (user === undefined) throw new Error(`There is no account for ${email}.`);
	const { id: userId, name, role } = user;
	const session = { sessionId: '', hasInitialPassword: false, mustSetUpTwoFactor: false, impersonatedBy: null };
	return { ...visitorFor(email), actor: { userId, email: user.email, name, role, ...session } };
}

/** Signs a user in and out once on each day, for the login history and the sign-in count. */
export async function signInOnDays(at: DepsAt, email: string, days: readonly number[], time: string): Promise<void> {
	for (const day of days.toSorted((a, b) => b - a)) {
		const then = at(day, time);
		await signOut(then, await callerFor(then, email));
	}
}

/** Signs a user in on two more devices, which /account lists. */
export async function seedDevices(at: DepsAt, email: string): Promise<void> {
	for (const [i, userAgent] of [browsers[2], browsers[1]].entries()) {
		const visitor = { ...visitorFor(email), userAgent, ip: `198.51.100.${24 + i}` };
		await signIn(at(6 - i * 4, '19:40'), visitor, { email, password: demoPassword });
	}
}
