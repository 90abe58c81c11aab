import type { UserListQuery } from '#server/features/accounts/administration/administration.queries.ts';
import { createUser, findUserByEmail } from '#server/features/accounts/users/users.service.ts';
import type { MemberCaller } from '#server/platform/actor.ts';
import { hashPassword } from '#server/platform/auth/passwords/passwords.ts';
import type { Deps } from '#server/platform/deps.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import type { TestApp } from './test-app.ts';

export const testPassword = 'right horse battery';

let hashed: Promise<string> | undefined;

export async function makeUser(deps: Deps, email: string, role: 'user' | 'admin' = 'user'): Promise<string> {
	hashed ??= hashPassword(testPassword);
	const passwordHash = await hashed;
	await createUser(deps, deps.db, { email, name: null, role, passwordHash, isInitialPassword: false });
	const user = await findUserByEmail(deps.db, email);
	if (user === undefined) throw new Error(`The user ${email} was not created.`);
	return user.id;
}

export async function makeSignedInUser(
	{ app, deps }: Pick<TestApp, 'app' | 'deps'>,
	email: string,
	role: 'user' | 'admin' = 'user',
	remoteAddress?: string,
): Promise<{ id: string; client: HttpClient }> {
	const id = await makeUser(deps, email, role);
	const client = createHttpClient(app, remoteAddress);
	await client.signIn(email, testPassword);
	return { id, client };
}

export function adminCaller(userId: string, email: string): MemberCaller {
	const actor = {
		userId,
		email,
		name: null,
		role: 'admin',
		sessionId: '',
		hasInitialPassword: false,
		mustSetUpTwoFactor: false,
		impersonatedBy: null,
	} as const;
	return { actor, ip: 'Unknown', userAgent: 'test', locale: 'en' };
}

/** A query of the first ten users by email address, without a filter. */
export const allUsersByEmail = {
	...{ searchKey: '', status: 'all', role: 'all', book: 'all', group: '' },
	...{ isBroad: false, isBookRare: false, isGroupSmall: false },
	...{ sort: 'email', after: null, limit: 10 },
} as const satisfies UserListQuery;

let joined = 0;

/** Creates a signed-in active user with a new email address and a new IP address. */
export async function joinAs(testApp: Pick<TestApp, 'app' | 'deps'>, role: 'user' | 'admin' = 'user') {
	joined += 1;
	const email = `${role === 'user' ? 'member' : 'admin'}-${joined}@example.com`;
	const ip = `198.51.${100 + (joined >> 8)}.${joined & 255}`;
	return { email, ip, ...(await makeSignedInUser(testApp, email, role, ip)) };
}
