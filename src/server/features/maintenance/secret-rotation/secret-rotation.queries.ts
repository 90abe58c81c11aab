import type { Db } from '../../../platform/database/schema.ts';

/**
 * Deletes what only the former secret could have checked: recovery codes, counts of rate limits, and payment references
 * without a proof that has their text.
 * @returns the number of users with recovery codes, and of deleted references
 */
export async function deleteFormerFingerprints(tx: Db): Promise<{ users: number; references: number }> {
	const { users } = await tx
		.selectFrom('recovery_codes')
		.select((eb) => eb.fn.count<number>('user_id').distinct().as('users'))
		.executeTakeFirstOrThrow();
	await tx.deleteFrom('recovery_codes').execute();
	await tx.deleteFrom('rate_limits').execute();
	const { numDeletedRows } = await tx
		.deleteFrom('used_references')
		.where(({ not, exists, selectFrom }) =>
			not(exists(selectFrom('proofs').select('id').whereRef('proofs.utr_key', '=', 'used_references.utr_key'))),
		)
		.executeTakeFirst();
	return { users: Number(users), references: Number(numDeletedRows) };
}
