import { type Insertable, type SelectQueryBuilder, sql, type Updateable } from 'kysely';
import type { ChatFilter, ChatSide } from '#contract/chat/chat.ts';
import { countRows, prepareQuery } from '../../platform/database/query-preparation.ts';
import type { Db, Schema } from '../../platform/database/schema.ts';
import { containsPattern, hasTrigrams, isBroadSearch, roughPattern } from '../../platform/database/search.ts';
import { lockRows } from '../../platform/database/transaction.ts';

export type ConversationRow = NonNullable<Awaited<ReturnType<typeof findConversation>>>;
export type MessageRow = Awaited<ReturnType<typeof listMessages>>[number];

export function findConversation(db: Db, userId: string) {
	return db.selectFrom('conversations').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

const lockedConversationQuery = prepareQuery((tx, { userId }: { userId: string }) =>
	lockRows(tx, tx.selectFrom('conversations').selectAll().where('user_id', '=', userId)),
);

export async function findConversationForUpdate(tx: Db, userId: string): Promise<ConversationRow | undefined> {
	return (await lockedConversationQuery(tx, { userId })).rows[0];
}

/** Locks a conversation until the transaction ends. Creates a missing row. */
export async function lockConversation(tx: Db, userId: string, now: string): Promise<ConversationRow> {
	const known = await findConversationForUpdate(tx, userId);
	if (known !== undefined) return known;
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
			created_at: now,
		})
		.onConflict((conflict) => conflict.column('user_id').doNothing())
		.execute();
	const inserted = await findConversationForUpdate(tx, userId);
	if (inserted === undefined) throw new Error('The conversation that was just inserted does not exist.');
	return inserted;
}

const updateQuery = prepareQuery(
	(db, { userId, ...changes }: { userId: string } & Updateable<Schema['conversations']>) =>
		db.updateTable('conversations').set(changes).where('user_id', '=', userId),
);

export async function updateConversation(db: Db, userId: string, changes: Updateable<Schema['conversations']>) {
	await updateQuery(db, { userId, ...changes });
}

const insertOnceQuery = prepareQuery((tx, row: Insertable<Schema['messages']>) =>
	tx
		.insertInto('messages')
		.values(row)
		.onConflict((conflict) => conflict.columns(['user_id', 'author_id', 'client_id']).doNothing()),
);

/** @returns false when a message with this client id exists already: see {@link findSent} */
export async function insertMessageIfNew(tx: Db, row: Insertable<Schema['messages']>): Promise<boolean> {
	return (await insertOnceQuery(tx, row)).numAffectedRows === 1n;
}

export function findSent(tx: Db, userId: string, authorId: string, clientId: string) {
	return tx
		.selectFrom('messages')
		.selectAll()
		.where('user_id', '=', userId)
		.where('author_id', '=', authorId)
		.where('client_id', '=', clientId)
		.executeTakeFirst();
}

/** Selects the messages between two sequences, from the newest or from the oldest. */
export interface MessageWindow {
	/** Exclusive. */
	above: number;
	/** Exclusive; null for no bound. */
	below: number | null;
	from: 'newest' | 'oldest';
	limit: number;
}

export function listMessages(db: Db, userId: string, { above, below, from, limit }: MessageWindow) {
	let rows = db.selectFrom('messages').selectAll().where('user_id', '=', userId).where('sequence', '>', above);
	if (below !== null) rows = rows.where('sequence', '<', below);
	return rows
		.orderBy('sequence', from === 'newest' ? 'desc' : 'asc')
		.limit(limit)
		.execute();
}

export function countAfter(db: Db, userId: string, sender: ChatSide, through: number): Promise<number> {
	const messages = db.selectFrom('messages').where('user_id', '=', userId).where('sender', '=', sender);
	return countRows(messages.where('sequence', '>', through));
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
	show: ChatFilter;
	/** Time and user id of the last row of the previous page. */
	after: readonly [string, string] | null;
	limit: number;
}

/** A search or filter is broad if it matches more messages or orders than this. */
const broadSearchThreshold = 2000;

/** Lists conversations that have messages, each with its newest message, the most recent conversation first. */
export async function listConversations(db: Db, query: ChatsQuery) {
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
			sql<string>`substr(messages.message, 1, 200)`.as('text'),
			'messages.file_type as fileType',
			'messages.file_name as fileName',
		])
		.where('conversations.last_at', 'is not', null);
	if (query.searchKey !== '')
		rows = filterMatching(
			rows,
			query.searchKey,
			await isBroadSearch(db, 'messages_search', query.searchKey, broadSearchThreshold),
		);
	if (query.show === 'unread') rows = rows.where('conversations.admin_unread', '>', 0);
	if (query.show === 'buyers') rows = filterBuyers(rows, await hasManyOrders(db));
	if (query.after !== null) {
		const [lastAt, userId] = query.after;
		rows = rows
			.where('conversations.last_at', '<=', lastAt)
			.where((where) =>
				where.or([where('conversations.last_at', '<', lastAt), where('conversations.user_id', '>', userId)]),
			);
	}
	return rows.orderBy('conversations.last_at', 'desc').orderBy('conversations.user_id').limit(query.limit).execute();
}

async function hasManyOrders(db: Db): Promise<boolean> {
	const beyond = await db.selectFrom('orders').select('id').limit(1).offset(broadSearchThreshold).executeTakeFirst();
	return beyond !== undefined;
}

/** Filters conversations of buyers: with few orders by a list of their users, with many by a check of each member. */
function filterBuyers<Rows>(rows: Rows, isMany: boolean): Rows {
	const filtered = (rows as Conversations).where((where) => {
		const orders = where.selectFrom('orders').select('orders.user_id').where('orders.user_id', 'is not', null);
		return isMany
			? where.exists(orders.whereRef('orders.user_id', '=', 'conversations.user_id'))
			: where('conversations.user_id', 'in', orders);
	});
	return filtered as Rows;
}

type Conversations = SelectQueryBuilder<Schema, 'conversations' | 'users' | 'messages', object>;

/** Filters conversations by the member's address and name, or by the text of a message. */
function filterMatching<Rows>(rows: Rows, searchKey: string, isBroad: boolean): Rows {
	const containsKey = containsPattern(searchKey);
	const containsTrigrams = roughPattern(searchKey);
	const filtered = (rows as Conversations).where((where) => {
		// For a frequent text, checking each conversation is faster; for a rare text, one search over all messages.
		if (isBroad) {
			const matchingMessages = where
				.selectFrom('messages as said')
				.select('said.user_id')
				.whereRef('said.sequence', '>', 'conversations.cleared_through')
				.whereRef('said.user_id', '=', 'conversations.user_id')
				.where('said.search_key', 'like', containsKey);
			return where.or([where('users.search_key', 'like', containsKey), where.exists(matchingMessages)]);
		}
		const userCandidates = where.selectFrom('users_search').select('id').where('search_key', 'like', containsTrigrams);
		const messageCandidates = where
			.selectFrom('messages_search')
			.select('id')
			.where('search_key', 'like', containsTrigrams);
		const hasGrams = hasTrigrams(searchKey);
		const matchingUsers = where
			.selectFrom('users as person')
			.select('person.id as user_id')
			.where('person.search_key', 'like', containsKey)
			.$if(hasGrams, (query) => query.where('person.id', 'in', userCandidates));
		const matchingMessages = where
			.selectFrom('messages as said')
			.innerJoin('conversations as its', 'its.user_id', 'said.user_id')
			.select('said.user_id')
			.whereRef('said.sequence', '>', 'its.cleared_through')
			.where('said.search_key', 'like', containsKey)
			.$if(hasGrams, (query) => query.where('said.id', 'in', messageCandidates));
		return where('conversations.user_id', 'in', matchingUsers.union(matchingMessages));
	});
	return filtered as Rows;
}

export type MatchRow = Awaited<ReturnType<typeof findNewestMatches>> extends Map<string, infer Row> ? Row : never;

export async function findNewestMatches(db: Db, userIds: string[], searchKey: string) {
	const rows =
		userIds.length === 0 || searchKey === ''
			? []
			: await db
					.selectFrom('conversations')
					.innerJoin('messages', (join) =>
						join.on('messages.id', '=', (newest) =>
							newest
								.selectFrom('messages as said')
								.select('said.id')
								.whereRef('said.user_id', '=', 'conversations.user_id')
								.whereRef('said.sequence', '>', 'conversations.cleared_through')
								.where('said.search_key', 'like', containsPattern(searchKey))
								.orderBy('said.sequence', 'desc')
								.limit(1),
						),
					)
					.select([
						'conversations.user_id as userId',
						'messages.sequence',
						'messages.message',
						'messages.file_name as fileName',
						'messages.created_at as createdAt',
					])
					.where('conversations.user_id', 'in', userIds)
					.execute();
	return new Map(rows.map((row) => [row.userId, row]));
}

export async function listSearchMatches(db: Db, userId: string, searchKey: string, limit: number): Promise<number[]> {
	const rows = await db
		.selectFrom('messages as said')
		.innerJoin('conversations', 'conversations.user_id', 'said.user_id')
		.select('said.sequence')
		.where('said.user_id', '=', userId)
		.whereRef('said.sequence', '>', 'conversations.cleared_through')
		.where('said.search_key', 'like', containsPattern(searchKey))
		.orderBy('said.sequence', 'desc')
		.limit(limit)
		.execute();
	return rows.map(({ sequence }) => sequence);
}

export async function findAttachment(db: Db, userId: string, messageId: string) {
	const row = await db
		.selectFrom('messages')
		.innerJoin('conversations', 'conversations.user_id', 'messages.user_id')
		.select(['messages.blob_id as blobId', 'messages.file_name as name'])
		.where('messages.id', '=', messageId)
		.where('messages.user_id', '=', userId)
		.whereRef('messages.sequence', '>', 'conversations.cleared_through')
		.executeTakeFirst();
	return row?.blobId ? { blobId: row.blobId, name: row.name ?? '' } : undefined;
}
