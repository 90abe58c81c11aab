import type { ContentField } from '#contract/storefront/content-fields.ts';
import type { Caller } from '../../../platform/actor.ts';
import type { Db, Schema } from '../../../platform/database/schema.ts';
import { acquireNamedLock } from '../../../platform/database/transaction.ts';
import { lockUserIfExists } from '../../accounts/index.ts';

export type FieldRow = Omit<Schema['storefront_fields'], 'field'> & { field: ContentField };

/**
 * Makes all changes of the content wait for each other, because each change depends on several rows. Locks the admin
 * first, whose deletion changes the rows of the content.
 */
export async function lockContent(tx: Db, { actor }: Pick<Caller, 'actor'>): Promise<void> {
	if (actor !== null) await lockUserIfExists(tx, actor.userId);
	await acquireNamedLock(tx, 'storefront-content');
}

export function listFieldRows(db: Db): Promise<FieldRow[]> {
	return db.selectFrom('storefront_fields').selectAll().$castTo<FieldRow>().execute();
}

export async function upsertField(tx: Db, { field, ...row }: FieldRow): Promise<void> {
	await tx
		.insertInto('storefront_fields')
		.values({ field, ...row })
		.onConflict((conflict) => conflict.column('field').doUpdateSet(row))
		.execute();
}

/** Returns the emails of the admins who changed the draft last, by field. */
export async function listFieldAuthors(db: Db): Promise<Map<string, string>> {
	const rows = await db
		.selectFrom('storefront_fields')
		.innerJoin('users', 'users.id', 'storefront_fields.updated_by')
		.select(['field', 'email'])
		.execute();
	return new Map(rows.map(({ field, email }) => [field, email]));
}

export function insertVersion(tx: Db, row: Schema['storefront_versions']) {
	return tx.insertInto('storefront_versions').values(row).execute();
}

/** Newest first, with the email of the admin who published. */
export function listVersions(db: Db) {
	return db
		.selectFrom('storefront_versions')
		.leftJoin('users', 'users.id', 'storefront_versions.published_by')
		.select(['number', 'changes', 'published_at as publishedAt', 'email as publishedBy'])
		.orderBy('number', 'desc')
		.execute();
}

export async function findVersionContent(db: Db, number: number): Promise<string | undefined> {
	const query = db.selectFrom('storefront_versions').select('content').where('number', '=', number);
	return (await query.executeTakeFirst())?.content;
}

/** Returns the number of the published version. */
export async function getNewestVersionNumber(db: Db): Promise<number> {
	const { number } = await db
		.selectFrom('storefront_versions')
		.select((eb) => eb.fn.max<number | null>('number').as('number'))
		.executeTakeFirstOrThrow();
	return number ?? 0;
}

export async function deleteVersionsUpTo(tx: Db, number: number): Promise<void> {
	await tx.deleteFrom('storefront_versions').where('number', '<=', number).execute();
}
