import { hashPassword, newInitialPassword } from '../../../platform/auth/passwords/passwords.ts';
import { setSessionsEnded } from '../../../platform/auth/sessions/sessions.queries.ts';
import { isoAt } from '../../../platform/clock.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { recordAudit, systemCaller } from '../../audit/index.ts';
import { revokePasswordLinks, updatePassword, updateRole } from '../users/users.queries.ts';
import { createUser, findUserByEmail, findUserByEmailForUpdate } from '../users/users.service.ts';

/** Creates an admin. @returns the password of a new account, null when an existing account got the role */
export async function createAdmin(deps: Deps, email: string): Promise<string | null> {
	const password = newInitialPassword();
	const passwordHash = await hashPassword(password);
	return inTransaction(deps.db, async (tx) => {
		const createdId = await createUser(deps, tx, { email, role: 'admin', passwordHash });
		const user = await findUserByEmailForUpdate(tx, email);
		if (user === undefined) throw new Error('The account that was just created does not exist.');
		if (createdId === null) await updateRole(tx, user.id, 'admin');
		await recordAudit(deps, tx, systemCaller, 'admin-created', ['user', user.id], { email });
		return createdId === null ? null : password;
	});
}

/** Sets a new random password and ends the user's sessions. @returns null without an account */
export async function resetPasswordByEmail(deps: Deps, email: string): Promise<string | null> {
	const user = await findUserByEmail(deps.db, email);
	if (user === undefined) return null;
	const password = newInitialPassword();
	const passwordHash = await hashPassword(password);
	await inTransaction(deps.db, async (tx) => {
		const now = isoAt(deps.clock);
		await updatePassword(tx, user.id, passwordHash);
		await revokePasswordLinks(tx, user.id, now);
		await setSessionsEnded(tx, { userId: user.id }, 'password', now);
		await recordAudit(deps, tx, systemCaller, 'password-reset', ['user', user.id]);
	});
	deps.bus.publish({ kind: 'ended', ended: { userId: user.id, reason: 'password' } });
	return password;
}
