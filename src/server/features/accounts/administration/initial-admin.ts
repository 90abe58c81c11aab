import { hashPassword, newInitialPassword } from '../../../platform/auth/passwords/passwords.ts';
import { acquireNamedLock, inTransaction } from '../../../platform/database/transaction.ts';
import type { Deps } from '../../../platform/deps.ts';
import { recordAudit, systemCaller } from '../../audit/index.ts';
import { hasAdmin } from '../users/users.queries.ts';
import { createUser } from '../users/users.service.ts';

/**
 * Creates the first admin.
 * @returns null when an admin exists already; `password` is null when the operator has set ADMIN_PASSWORD
 */
export async function ensureInitialAdmin(deps: Deps) {
	if (await hasAdmin(deps.db)) return null;
	const email = deps.config.ADMIN_EMAIL ?? 'owner@folio.local';
	const configuredPassword = deps.config.ADMIN_PASSWORD;
	const password = configuredPassword ?? newInitialPassword();
	const passwordHash = await hashPassword(password);
	const isCreated = await inTransaction(deps.db, async (tx) => {
		await acquireNamedLock(tx, 'first-owner');
		if (await hasAdmin(tx)) return false;
		const id = await createUser(deps, tx, {
			email,
			role: 'admin',
			passwordHash,
			isInitialPassword: configuredPassword === undefined,
		});
		if (id === null)
			throw new Error(
				`ADMIN_EMAIL ${email} belongs to an account that is no admin; run: npm run cli -- create-admin ${email}`,
			);
		await recordAudit(deps, tx, systemCaller, 'user-registered', ['user', id], { role: 'admin' });
		return true;
	});
	return isCreated ? { email, password: configuredPassword === undefined ? password : null } : null;
}
