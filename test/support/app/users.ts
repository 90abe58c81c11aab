import { createUser, findUserByEmail } from '#server/features/accounts/users/users.service.ts';
import { hashPassword } from '#server/platform/auth/passwords/passwords.ts';
import type { Deps } from '#server/platform/deps.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import type { TestApp } from './test-app.ts';

/** Password of every user that tests create. */
export const testPassword = 'right horse battery';

let hashed: Promise<string> | undefined;

/** Creates an active user. @returns the ID */
export async function makeUser(deps: Deps, email: string, role: 'user' | 'admin' = 'user'): Promise<string> {
	hashed ??= hashPassword(testPassword);
	const passwordHash = await hashed;
	await createUser(deps, deps.db, { email, name: null, role, passwordHash, isInitialPassword: false });
	const user = await findUserByEmail(deps.db, email);
	if (user === undefined) throw new Error(`The user ${email} was not created.`);
	return user.id;
}

/** Creates an active user and signs them in. @returns the ID, and the client with the session */
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
