import { type Insertable, type SelectQueryBuilder, sql, type Updateable } from 'kysely';
import { lockRows } from '../../db/row-lock.ts';
import type { Db, Schema } from '../../db/schema.ts';
import { containsPattern, hasTrigrams, roughPattern } from '../../db/search.ts';

export type ConversationRow = NonNullable<Awaited<ReturnType<typeof findConversation>>>;
export type MessageRow = Awaited<ReturnType<typeof listMessages>>[number];

export function findConversation(db: Db, userId: string) {
	return db.selectFrom('conversations').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** Makes the conversation where there is none, and locks it: whoever writes in it takes turns. */
export async function lockConversation(tx: Db, userId: string, now: string) {
	await tx
		.insertInto('conversations')
		.values({
			user_id: userId,
			last_sequence: 0,
			cleared_through: 0,
			user_viewed_through: 0,
			admin_viewed_through: 0,
			user_unread: 0,
			admin_unread: 0,
			user_typing_at: null,
			admin_typing_at: null,
			last_at: null,
			created_at: now,
		})
		.onConflict((conflict) => conflict.column('user_id').doNothing())
		.execute();
	const row = tx.selectFrom('conversations').selectAll().where('user_id', '=', userId);
	return lockRows(tx, row).executeTakeFirstOrThrow();
}

export async function updateConversation(
	db: Db,
	userId: string,
	changes: Updateable<Schema['conversations']>,
): Promise<void> {
	await db.updateTable('conversations').set(changes).where('user_id', '=', userId).execute();
}

export async function insertMessage(tx: Db, row: Insertable<Schema['messages']>): Promise<void> {
	await tx.insertInto('messages').values(row).execute();
}

/** What the same page has sent under this name before. */
export function findSent(tx: Db, userId: string, authorId: string, clientId: string) {
	return tx
		.selectFrom('messages')
		.selectAll()
		.where('user_id', '=', userId)
		.where('author_id', '=', authorId)
		.where('client_id', '=', clientId)
		.executeTakeFirst();
}

/** Where in a conversation: rows between two sequences, from the newest or from the oldest of them. */
export interface MessageWindow {
	/** Exclusive. */
	above: number;
	/** Exclusive; null for none. */
	below: number | null;
	from: 'newest' | 'oldest';
	limit: number;
}

/** In the order asked for. */
export function listMessages(db: Db, userId: string, { above, below, from, limit }: MessageWindow) {
	let rows = db.selectFrom('messages').selectAll().where('user_id', '=', userId).where('sequence', '>', above);
	if (below !== null) rows = rows.where('sequence', '<', below);
	return rows
		.orderBy('sequence', from === 'newest' ? 'desc' : 'asc')
		.limit(limit)
		.execute();
}

/** Messages of one side after a place. */
export async function countAfter(db: Db, userId: string, sender: 'user' | 'admin', through: number): Promise<number> {
	const row = await db
		.selectFrom('messages')
		.select((eb) => eb.fn.countAll<number>().as('count'))
		.where('user_id', '=', userId)
		.where('sender', '=', sender)
		.where('sequence', '>', through)
		.executeTakeFirstOrThrow();
	return row.count;
}

export async function sumUnread(db: Db): Promise<number> {
	const row = await db
		.selectFrom('conversations')
		.innerJoin('users', 'users.id', 'conversations.user_id')
		.select((eb) => eb.fn.sum<number | null>('admin_unread').as('unread'))
		.where('admin_unread', '>', 0)
		.executeTakeFirstOrThrow();
	return row.unread ?? 0;
}

export interface ChatsQuery {
	searchKey: string;
	after: { lastAt: string; userId: string } | null;
	limit: number;
}

/** Conversations that have messages, newest first, with the newest message of each. */
export function listConversations(db: Db, query: ChatsQuery) {
	let rows = db
		.selectFrom('conversations')
		.innerJoin('users', 'users.id', 'conversations.user_id')
		.innerJoin('messages', (join) =>
			join
				.onRef('messages.user_id', '=', 'conversations.user_id')
				.onRef('messages.sequence', '=', 'conversations.last_sequence'),
		)
		.select([
			'conversations.user_id as userId',
			'users.email',
			'users.name',
			'conversations.admin_unread as unread',
			'conversations.last_at as lastAt',
			'messages.sender',
			// A line of the list shows no more.
			sql<string>`substr(messages.message, 1, 200)`.as('text'),
			'messages.blob_id as blobId',
			'messages.file_name as fileName',
		])
		.where('conversations.last_at', 'is not', null);
	if (query.searchKey !== '') rows = matching(rows, query.searchKey);
	const { after } = query;
	if (after !== null) {
		rows = rows
			.where('conversations.last_at', '<=', after.lastAt)
			.where((where) =>
				where.or([
					where('conversations.last_at', '<', after.lastAt),
					where('conversations.user_id', '>', after.userId),
				]),
			);
	}
	return rows.orderBy('conversations.last_at', 'desc').orderBy('conversations.user_id').limit(query.limit).execute();
}

type Conversations = SelectQueryBuilder<Schema, 'conversations' | 'users' | 'messages', object>;

/** By address and name, or by something that was said. */
function matching<Rows>(rows: Rows, searchKey: string): Rows {
	const found = (rows as Conversations).where((where) => {
		const said = where
			.selectFrom('messages as said')
			.select('said.user_id')
			.whereRef('said.sequence', '>', 'conversations.cleared_through')
			.whereRef('said.user_id', '=', 'conversations.user_id')
			.where('said.search_key', 'like', containsPattern(searchKey));
		const saidByGrams = said.where('said.id', 'in', (grams) =>
			grams.selectFrom('messages_search').select('id').where('search_key', 'like', roughPattern(searchKey)),
		);
		return where.or([
			where('users.search_key', 'like', containsPattern(searchKey)),
			where.exists(hasTrigrams(searchKey) ? saidByGrams : said),
		]);
	});
	return found as Rows;
}
