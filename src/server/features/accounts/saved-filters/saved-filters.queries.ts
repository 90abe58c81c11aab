import type { Updateable } from 'kysely';
import type { FilteredList } from '#contract/accounts/saved-filters.ts';
import { countRows, insertInto } from '../../../platform/database/query-preparation.ts';
import type { Db, Schema } from '../../../platform/database/schema.ts';

export function listSavedFilters(db: Db, userId: string, list: FilteredList) {
	return db
		.selectFrom('saved_filters')
		.select(['id', 'name', 'query'])
		.where('user_id', '=', userId)
		.where('list', '=', list)
		.orderBy('name_key')
		.execute();
}

export function findSavedFilter(db: Db, userId: string, id: string) {
	return db
		.selectFrom('saved_filters')
		.select(['id', 'name', 'query', 'list'])
		.where('id', '=', id)
		.where('user_id', '=', userId)
		.executeTakeFirst();
}

export function countSavedFilters(db: Db, userId: string, list: FilteredList): Promise<number> {
	return countRows(db.selectFrom('saved_filters').where('user_id', '=', userId).where('list', '=', list));
}

export function findIdByName(db: Db, row: { userId: string; list: FilteredList; nameKey: string }) {
	return db
		.selectFrom('saved_filters')
		.select('id')
		.where('user_id', '=', row.userId)
		.where('list', '=', row.list)
		.where('name_key', '=', row.nameKey)
		.executeTakeFirst();
}

export const insertSavedFilter = insertInto('saved_filters');

export async function updateSavedFilter(tx: Db, id: string, changes: Updateable<Schema['saved_filters']>) {
	await tx.updateTable('saved_filters').set(changes).where('id', '=', id).execute();
}

export async function deleteSavedFilter(tx: Db, id: string): Promise<void> {
	await tx.deleteFrom('saved_filters').where('id', '=', id).execute();
}
