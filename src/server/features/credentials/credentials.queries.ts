import type { Insertable, Selectable } from 'kysely';
import { countRows, insertInto, pageAfter } from '../../platform/database/query-preparation.ts';
import type { Db, Schema } from '../../platform/database/schema.ts';
import { lockRows } from '../../platform/database/transaction.ts';

export type CredentialRecord = Selectable<Schema['credentials']>;
export type NewCredentialRecord = Insertable<Schema['credentials']>;

/** Time and id of the last row of the previous page. */
export type PageCursor = readonly [string, string];

export function findCredentialByKey(db: Db, lookupKey: string) {
	return db.selectFrom('credentials').selectAll().where('lookup_key', '=', lookupKey).executeTakeFirst();
}

export function findCredentialForUpdate(tx: Db, id: string) {
	return lockRows(tx, tx.selectFrom('credentials').selectAll().where('id', '=', id)).executeTakeFirst();
}

export function listCredentials(db: Db, { after, limit }: { after: PageCursor | null; limit: number }) {
	return db
		.selectFrom('credentials')
		.selectAll()
		.$call(pageAfter(after, ['created_at', 'id'], 'desc', limit))
		.execute();
}

export function countCredentials(db: Db): Promise<number> {
	return countRows(db.selectFrom('credentials'));
}

/** Inserts the rows whose key does not exist yet. @returns the inserted keys */
export async function insertCredentialsIfNew(tx: Db, rows: NewCredentialRecord[]): Promise<Set<string>> {
	const written = await tx
		.insertInto('credentials')
		.values(rows)
		.onConflict((conflict) => conflict.column('lookup_key').doNothing())
		.returning('lookup_key as key')
		.execute();
	return new Set(written.map(({ key }) => key));
}

export async function updateCredential(
	tx: Db,
	id: string,
	change: Pick<CredentialRecord, 'lookup_key' | 'record_sealed' | 'updated_at'>,
): Promise<void> {
	await tx.updateTable('credentials').set(change).where('id', '=', id).execute();
}

/** @returns false when the record was deleted already */
export async function deleteCredential(tx: Db, id: string): Promise<boolean> {
	const { numDeletedRows } = await tx.deleteFrom('credentials').where('id', '=', id).executeTakeFirstOrThrow();
	return numDeletedRows > 0n;
}

export const insertLookup = insertInto('credential_lookups');

/** Lists one page of lookups, newest first, with the email addresses of users who were signed in. */
export function listLookups(db: Db, query: { isFound: 0 | 1 | null; after: PageCursor | null; limit: number }) {
	let page = db
		.selectFrom('credential_lookups as l')
		.leftJoin('users', 'users.id', 'l.user_id')
		.select(['l.id', 'l.at', 'l.asked_sealed', 'l.is_found', 'l.ip', 'l.user_agent', 'users.email'])
		.$call(pageAfter(query.after, ['l.at', 'l.id'], 'desc', query.limit));
	if (query.isFound !== null) page = page.where('l.is_found', '=', query.isFound);
	return page.execute();
}

export function countLookups(db: Db, isFound: 0 | 1 | null): Promise<number> {
	const lookups = db.selectFrom('credential_lookups');
	return countRows(isFound === null ? lookups : lookups.where('is_found', '=', isFound));
}

export async function deleteLookupsBefore(db: Db, at: string): Promise<void> {
	await db.deleteFrom('credential_lookups').where('at', '<', at).execute();
}
