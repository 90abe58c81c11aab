import type { Db } from '../../platform/database/schema.ts';

export function findProfile(db: Db, userId: string) {
	return db
		.selectFrom('users')
		.select([
			'id',
			'email',
			'name',
			'role',
			'login_count as loginCount',
			'last_login_at as lastLoginAt',
			'created_at as createdAt',
		])
		.where('id', '=', userId)
		.executeTakeFirst();
}

export function listSignIns(db: Db, userId: string) {
	return db
		.selectFrom('login_history')
		.select(['login_count as loginNumber', 'at', 'ip', 'browser_info as browserInfo'])
		.where('user_id', '=', userId)
		.orderBy('at')
		.orderBy('login_count')
		.execute();
}

export function listSessions(db: Db, userId: string) {
	return db
		.selectFrom('sessions')
		.select([
			'created_at as createdAt',
			'last_seen_at as lastSeenAt',
			'expires_at as expiresAt',
			'ended_at as endedAt',
			'ended_reason as endedReason',
			'ip',
			'user_agent as browserInfo',
		])
		.where('user_id', '=', userId)
		.orderBy('created_at')
		.orderBy('id')
		.execute();
}

export function listFolders(db: Db, ownerId: string) {
	return db
		.selectFrom('nodes')
		.select(['real_path as realPath', 'name'])
		.where('owner_id', '=', ownerId)
		.where('kind', '=', 'folder')
		.where('deleted_at', 'is', null)
		.execute();
}

export function listFiles(db: Db, ownerId: string, afterId: string, limit: number) {
	return db
		.selectFrom('nodes')
		.select(['id', 'path', 'name', 'size_bytes as sizeBytes', 'created_at as uploadedAt'])
		.where('owner_id', '=', ownerId)
		.where('kind', '=', 'file')
		.where('deleted_at', 'is', null)
		.where('id', '>', afterId)
		.orderBy('id')
		.limit(limit)
		.execute();
}

export async function listLessons(db: Db, userId: string) {
	const rows = await db
		.selectFrom('lesson_progress')
		.innerJoin('nodes', 'nodes.id', 'lesson_progress.node_id')
		.select(['nodes.name', 'lesson_progress.position', 'lesson_progress.total', 'is_done', 'updated_at as updatedAt'])
		.where('user_id', '=', userId)
		.where('deleted_at', 'is', null)
		.orderBy('updated_at')
		.orderBy('node_id')
		.execute();
	return rows.map(({ is_done, ...row }) => ({ ...row, isDone: is_done === 1 }));
}

/** Lists the user's reading positions. `file` is the file's name; null for an edition or a deleted file. */
export function listReadingPositions(db: Db, userId: string) {
	return db
		.selectFrom('reading_positions')
		.leftJoin('nodes', (on) =>
			on.onRef('nodes.id', '=', 'reading_positions.node_id').on('nodes.deleted_at', 'is', null),
		)
		.select([
			'document',
			'nodes.name as file',
			'page',
			'page_count as pageCount',
			'chapter',
			'read_at as readAt',
			'furthest_page as furthestPage',
		])
		.where('user_id', '=', userId)
		.orderBy('document')
		.execute();
}

export function listAnnotations(db: Db, userId: string, afterId: string, limit: number) {
	return db
		.selectFrom('annotations')
		.leftJoin('nodes', (on) => on.onRef('nodes.id', '=', 'annotations.node_id').on('nodes.deleted_at', 'is', null))
		.select([
			'annotations.id',
			'document',
			'nodes.name as file',
			'annotations.kind',
			'page',
			'chapter',
			'quote',
			'note',
			'color',
			'annotations.created_at as createdAt',
			'updated_at as updatedAt',
		])
		.where('user_id', '=', userId)
		.where('annotations.id', '>', afterId)
		.orderBy('annotations.id')
		.limit(limit)
		.execute();
}

export function listGroups(db: Db, userId: string) {
	return db
		.selectFrom('group_members')
		.innerJoin('groups', 'groups.id', 'group_members.group_id')
		.select(['groups.name', 'group_members.added_at as addedAt'])
		.where('user_id', '=', userId)
		.orderBy('name_key')
		.execute();
}

export function listSavedFilters(db: Db, userId: string) {
	return db
		.selectFrom('saved_filters')
		.select(['list', 'name', 'query', 'created_at as createdAt'])
		.where('user_id', '=', userId)
		.orderBy('list')
		.orderBy('name_key')
		.execute();
}

/** Finds the user's book access that an admin granted, without the admin's address. */
export function findBookAccess(db: Db, userId: string) {
	return db
		.selectFrom('book_access')
		.select('created_at as grantedAt')
		.where('user_id', '=', userId)
		.executeTakeFirst();
}

export function listWatermarkedCopies(db: Db, userId: string) {
	return db
		.selectFrom('watermarked_copies')
		.select(['edition', 'page_count as pages', 'made_at as madeAt'])
		.where('user_id', '=', userId)
		.where('blob_id', 'is not', null)
		.orderBy('edition')
		.execute();
}

/** Lists the messages of the user's conversation that follow the sequence `after`, without deleted messages. */
export async function listMessages(db: Db, userId: string, after: number, limit: number) {
	const rows = await db
		.selectFrom('messages')
		.innerJoin('conversations', 'conversations.user_id', 'messages.user_id')
		.select(['sequence', 'messages.created_at as at', 'sender', 'message', 'blob_id', 'file_name', 'file_size_bytes'])
		.where('messages.user_id', '=', userId)
		.whereRef('sequence', '>', 'cleared_through')
		.where('sequence', '>', after)
		.orderBy('sequence')
		.limit(limit)
		.execute();
	return rows.map(({ sequence, at, sender, message, blob_id, file_name, file_size_bytes }) => ({
		sequence,
		line:
			blob_id === null ? { at, sender, text: message } : { at, sender, file: file_name, sizeBytes: file_size_bytes },
	}));
}
