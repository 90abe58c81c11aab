import { countRows } from '../../../platform/database/query-preparation.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { lockRows } from '../../../platform/database/transaction.ts';

const columns = [
	'id',
	'email',
	'email_key',
	'password_hash',
	'totp_secret_sealed as secretSealed',
	'totp_confirmed_at as since',
	'totp_last_step as lastStep',
] as const;

export type TwoFactorRow = NonNullable<Awaited<ReturnType<typeof findTwoFactor>>>;

export function findTwoFactor(db: Db, userId: string) {
	return db.selectFrom('users').select(columns).where('id', '=', userId).executeTakeFirst();
}

export function findTwoFactorForUpdate(tx: Db, userId: string) {
	return lockRows(tx, tx.selectFrom('users').select(columns).where('id', '=', userId)).executeTakeFirst();
}

export async function listAdminsWithoutTwoFactor(db: Db): Promise<string[]> {
	const rows = await db
		.selectFrom('users')
		.select('id')
		.where('role', '=', 'admin')
		.where('totp_confirmed_at', 'is', null)
		.execute();
	return rows.map(({ id }) => id);
}

/** Stores an unconfirmed secret; does nothing while two-factor sign-in is on. @returns whether the secret was stored */
export async function setPendingSecret(db: Db, userId: string, secretSealed: string): Promise<boolean> {
	const { numUpdatedRows } = await db
		.updateTable('users')
		.set({ totp_secret_sealed: secretSealed, totp_last_step: null })
		.where('id', '=', userId)
		.where('totp_confirmed_at', 'is', null)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

/** Turns two-factor sign-in on with the checked secret. @returns false when a concurrent request has changed it */
export async function confirmSecret(
	tx: Db,
	userId: string,
	confirmation: { secretSealed: string; step: number; now: string },
): Promise<boolean> {
	const { numUpdatedRows } = await tx
		.updateTable('users')
		.set({ totp_confirmed_at: confirmation.now, totp_last_step: confirmation.step })
		.where('id', '=', userId)
		.where('totp_secret_sealed', '=', confirmation.secretSealed)
		.where('totp_confirmed_at', 'is', null)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

/** Uses up a time step. @returns false when this step or a later one was used already */
export async function consumeStep(tx: Db, userId: string, step: number): Promise<boolean> {
	const { numUpdatedRows } = await tx
		.updateTable('users')
		.set({ totp_last_step: step })
		.where('id', '=', userId)
		.where('totp_confirmed_at', 'is not', null)
		.where((where) => where.or([where('totp_last_step', 'is', null), where('totp_last_step', '<', step)]))
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

/** Uses up a recovery code. @returns false for an unknown or used code */
export async function consumeRecoveryCode(tx: Db, userId: string, codeHash: string, now: string): Promise<boolean> {
	const { numUpdatedRows } = await tx
		.updateTable('recovery_codes')
		.set({ used_at: now })
		.where('user_id', '=', userId)
		.where('code_hash', '=', codeHash)
		.where('used_at', 'is', null)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

export async function hasUnusedRecoveryCode(db: Db, userId: string, codeHash: string): Promise<boolean> {
	const row = await db
		.selectFrom('recovery_codes')
		.select('id')
		.where('user_id', '=', userId)
		.where('code_hash', '=', codeHash)
		.where('used_at', 'is', null)
		.executeTakeFirst();
	return row !== undefined;
}

export function countUnusedRecoveryCodes(db: Db, userId: string): Promise<number> {
	return countRows(db.selectFrom('recovery_codes').where('user_id', '=', userId).where('used_at', 'is', null));
}

export async function replaceRecoveryCodes(
	tx: Db,
	userId: string,
	codes: Array<{ id: string; codeHash: string }>,
	now: string,
): Promise<void> {
	await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
	if (codes.length === 0) return;
	await tx
		.insertInto('recovery_codes')
		.values(
			codes.map(({ id, codeHash }) => ({ id, user_id: userId, code_hash: codeHash, used_at: null, created_at: now })),
		)
		.execute();
}

export async function clearTwoFactor(tx: Db, userId: string): Promise<void> {
	await tx
		.updateTable('users')
		.set({ totp_secret_sealed: null, totp_confirmed_at: null, totp_last_step: null })
		.where('id', '=', userId)
		.execute();
	await replaceRecoveryCodes(tx, userId, [], '');
}
