import { lockRows } from '../../db/row-lock.ts';
import type { Db } from '../../db/schema.ts';

export function lockPerson(tx: Db, id: string) {
	return lockRows(
		tx,
		tx.selectFrom('users').select(['id', 'email', 'email_key as emailKey']).where('id', '=', id),
	).executeTakeFirst();
}

/** The person with everything that hangs on the account: sessions, sign-ins, links, codes. Orders stay without them. */
export async function deletePerson(tx: Db, person: { id: string; emailKey: string }): Promise<void> {
	await tx.deleteFrom('imported_logins').where('email_key', '=', person.emailKey).execute();
	await tx.deleteFrom('users').where('id', '=', person.id).execute();
}

/** Files in a space, those in the trash too. */
export async function countFiles(db: Db, ownerId: string): Promise<number> {
	const row = await db
		.selectFrom('nodes')
		.select((eb) => eb.fn.countAll<number>().as('count'))
		.where('owner_id', '=', ownerId)
		.where('kind', '=', 'file')
		.executeTakeFirstOrThrow();
	return row.count;
}

/** Some files of a space, in the trash or not. */
export function findFiles(tx: Db, ownerId: string, limit: number) {
	return tx
		.selectFrom('nodes')
		.select(['id', 'blob_id as blobId'])
		.where('owner_id', '=', ownerId)
		.where('kind', '=', 'file')
		.limit(limit)
		.execute();
}

/** Some folders of a space that hold nothing. */
export function findEmptyFolders(tx: Db, ownerId: string, limit: number) {
	return tx
		.selectFrom('nodes')
		.select('id')
		.where('owner_id', '=', ownerId)
		.where('kind', '=', 'folder')
		.where((where) =>
			where.not(
				where.exists(
					where.selectFrom('nodes as child').select('child.id').whereRef('child.parent_id', '=', 'nodes.id'),
				),
			),
		)
		.limit(limit)
		.execute();
}

export async function deleteNodes(tx: Db, ids: string[]): Promise<void> {
	await tx.deleteFrom('nodes').where('id', 'in', ids).execute();
}
