import { sql } from 'kysely';
import { pageAfter } from '../../../platform/database/query-preparation.ts';
import type { Db } from '../../../platform/database/schema.ts';
import { hasBookAccess } from '../../book/index.ts';

/** Lists conversations with stored data, largest first; `after`: bytes and user id of the previous page's last row. */
export function listStoredChats(db: Db, after: readonly [number, string] | null, limit: number) {
	return db
		.selectFrom('conversations')
		.innerJoin('users', 'users.id', 'conversations.user_id')
		.select([
			'conversations.user_id',
			'users.email',
			'stored_files',
			'stored_bytes',
			'minute_resets_at',
			'minute_messages',
			'day_resets_at',
			'day_files',
			'day_bytes',
		])
		.select((where) => sql<number>`case when ${hasBookAccess(where as never)} then 1 else 0 end`.as('has_access'))
		.where('stored_bytes', '>', 0)
		.$call(pageAfter(after, ['stored_bytes', 'conversations.user_id'], 'desc', limit))
		.execute();
}

export async function sumStoredChats(db: Db): Promise<{ fileCount: number; usedBytes: number }> {
	const { fileCount, usedBytes } = await db
		.selectFrom('conversations')
		.select(({ fn }) => [
			fn.sum<number | null>('stored_files').as('fileCount'),
			fn.sum<number | null>('stored_bytes').as('usedBytes'),
		])
		.executeTakeFirstOrThrow();
	return { fileCount: Number(fileCount ?? 0), usedBytes: Number(usedBytes ?? 0) };
}
