import { hashPassword, newInitialPassword } from '../../../platform/auth/passwords/passwords.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { recordAudit, systemCaller } from '../../audit/index.ts';
import { updateUser } from '../users/users.queries.ts';
import { createUser, findUserByEmail, findUserByEmailForUpdate, replacePassword } from '../users/users.service.ts';

/**
 * Makes a user an admin. Creates the account if no account has this email.
 * @returns the password of a new account; null for an existing account
 */
export async function createAdmin(deps: Deps, email: string): Promise<string | null> {
	const password = newInitialPassword();
	const passwordHash = await hashPassword(password);
	return inTransaction(deps.db, async (tx) => {
		const createdId = await createUser(deps, tx, { email, role: 'admin', passwordHash });
		const user = await findUserByEmailForUpdate(tx, email);
		if (user === undefined) throw new Error('The account that was just created does not exist.');
		if (createdId === null) await updateUser(tx, user.id, { role: 'admin' });
		await recordAudit(deps, tx, systemCaller, 'admin-created', ['user', user.id], { email });
		return createdId === null ? null : password;
	});
}

/** Sets a new random password and ends the user's sessions. @returns the password; null if no account has this email */
export async function resetPasswordByEmail(deps: Deps, email: string): Promise<string | null> {
	const user = await findUserByEmail(deps.db, email);
	if (user === undefined) return null;
	const password = newInitialPassword();
	const passwordHash = await hashPassword(password);
	const change = { action: 'password-reset', userId: user.id, passwordHash } as const;
	await inTransaction(deps.db, (tx) => replacePassword(deps, tx, systemCaller, change));
	deps.bus.publish({ kind: 'ended', ended: { userId: user.id, reason: 'password' } });
	return password;
}
