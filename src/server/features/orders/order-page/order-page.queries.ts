import { insertInto } from '../../../platform/database/query-preparation.ts';
import type { Db } from '../../../platform/database/schema.ts';

export type OrderLinkRow = NonNullable<Awaited<ReturnType<typeof findOrderLink>>>;

export const insertOrderLink = insertInto('order_links');

export function findOrderLink(db: Db, tokenHash: string) {
	return db.selectFrom('order_links').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst();
}

export function listProofsOfLink(db: Db, linkId: string) {
	return db
		.selectFrom('proofs')
		.selectAll()
		.where('link_id', '=', linkId)
		.orderBy('created_at')
		.orderBy('id')
		.execute();
}

export async function deleteMailLinks(tx: Db, linkId: string): Promise<void> {
	await tx.deleteFrom('order_links').where('of_link_id', '=', linkId).execute();
}

export async function moveOrderLink(
	tx: Db,
	linkId: string,
	changes: { order_id: string; email: string; made_account: 0 | 1 },
): Promise<void> {
	await tx.updateTable('order_links').set(changes).where('id', '=', linkId).execute();
	await tx.updateTable('proofs').set({ order_id: changes.order_id }).where('link_id', '=', linkId).execute();
}
