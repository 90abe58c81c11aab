import { inBatches } from '../../../platform/database/query-preparation.ts';
import type { Db } from '../../../platform/database/schema.ts';

/**
 * Deletes what only the former secret could have checked: recovery codes, counts of rate limits, and payment references
 * without a proof that has their text. `keptReferences`: the keys of references in proofs.
 * @returns the number of users with recovery codes, and of deleted references
 */
export async function deleteFormerFingerprints(
	tx: Db,
	keptReferences: ReadonlySet<string>,
): Promise<{ users: number; references: number }> {
	const { users } = await tx
		.selectFrom('recovery_codes')
		.select((eb) => eb.fn.count<number>('user_id').distinct().as('users'))
		.executeTakeFirstOrThrow();
	await tx.deleteFrom('recovery_codes').execute();
	await tx.deleteFrom('rate_limits').execute();
	const rows = await tx.selectFrom('used_references').select('utr_key').distinct().execute();
	const former = rows.map(({ utr_key }) => utr_key).filter((key) => !keptReferences.has(key));
	let references = 0;
	for (const batch of inBatches(former)) {
		const { numDeletedRows } = await tx
			.deleteFrom('used_references')
			.where('utr_key', 'in', batch)
			.executeTakeFirstOrThrow();
		references += Number(numDeletedRows);
	}
	return { users: Number(users), references };
}
