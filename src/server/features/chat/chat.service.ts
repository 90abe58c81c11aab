import * as z from 'zod';
import {
	type ChatFilter,
	type ChatMessage,
	type ChatSide,
	type ChatState,
	type ChatSummary,
	typingMs,
} from '#contract/chat/chat.ts';
import type { ServerEvent } from '#contract/core/events.ts';
import type { MemberCaller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import { packCursor, unpackCursor } from '../../platform/cursor.ts';
import type { Db } from '../../platform/database/schema.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { Deps } from '../../platform/deps.ts';
import { createTimedYield } from '../../platform/event-loop.ts';
import { newId } from '../../platform/ids.ts';
import { createKeyedLimiter } from '../../platform/locking/concurrency-limiter.ts';
import { requireDatabaseSpace } from '../../platform/storage/free-space.ts';
import { listEmailsByUserId, lockUserIfExists } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { presentMessage, presentSent, presentState, presentSummary } from './chat.presenter.ts';
import * as queries from './chat.queries.ts';
import { type ChatAmount, countMessage, isMinuteFull } from './chat-limits.ts';
import { enqueueChatDeletion } from './deletion/deletion.service.ts';
import { cancelChatMails, planAfterMessage, planAfterView } from './mail-notifications/mail-notifications.service.ts';
import { searchKeyOf } from './search-excerpt.ts';

/** A NOTIFY carries 8,000 bytes; a longer message is fetched by those who hear of it. */
const maxInlineMessageLength = 1000;

const cursorPosition = z.tuple([z.string(), z.string()]);

/** One page of the owner's list. @throws AppError INVALID_INPUT for a foreign cursor */
export async function listChats(
	deps: Deps,
	input: { search?: string | undefined; show: ChatFilter; cursor?: string | undefined; limit: number },
): Promise<{ items: ChatSummary[]; nextCursor: string | null; unread: number }> {
	const after = unpackCursor(input.cursor, cursorPosition);
	const searchKey = searchKeyOf(input.search ?? '').trim();
	const rows = await queries.listConversations(deps.db, {
		searchKey,
		show: input.show,
		after: after && { lastAt: after[0], userId: after[1] },
		limit: input.limit + 1,
	});
	const shown = rows.slice(0, input.limit);
	const said = await queries.findNewestMatches(
		deps.db,
		shown.map(({ userId }) => userId),
		searchKey,
	);
	const items: ChatSummary[] = [];
	const turn = createTimedYield();
	for (const row of shown) {
		items.push(presentSummary(row, said.get(row.userId), searchKey));
		// A page may be a thousand long messages.
		await turn();
	}
	const last = items.at(-1);
	return {
		items,
		nextCursor: rows.length > shown.length && last ? packCursor([last.lastAt, last.userId]) : null,
		unread: await queries.sumUnread(deps.db),
	};
}

/** Messages that the caller has not seen. */
export async function countUnread(deps: Deps, caller: MemberCaller): Promise<{ unread: number }> {
	if (caller.actor.role === 'admin') return { unread: await queries.sumUnread(deps.db) };
	const own = await queries.findConversation(deps.db, caller.actor.userId);
	return { unread: own?.user_unread ?? 0 };
}

/** Where in a conversation one asks; nothing for its newest messages. */
interface MessageRange {
	before?: number | undefined;
	after?: number | undefined;
	around?: number | undefined;
}

/** The newest messages, those before a place, after it, or around it, oldest first. @throws AppError NOT_FOUND */
export async function listMessages(
	deps: Deps,
	caller: MemberCaller,
	input: { userId: string; limit: number } & MessageRange,
): Promise<{ items: ChatMessage[]; isMore: boolean; state: ChatState }> {
	await requireReader(deps.db, caller, input.userId);
	const conversation = await queries.findConversation(deps.db, input.userId);
	const cleared = conversation?.cleared_through ?? 0;
	const { around } = input;
	if (around !== undefined) {
		const half = Math.ceil(input.limit / 2);
		const window = { above: cleared, below: around, from: 'newest', limit: half + 1 } as const;
		const before = await queries.listMessages(deps.db, input.userId, window);
		const from = { above: Math.max(cleared, around - 1), below: null, from: 'oldest', limit: half } as const;
		const after = await queries.listMessages(deps.db, input.userId, from);
		return {
			items: [...before.slice(0, half).reverse(), ...after].map(presentMessage),
			isMore: before.length > half,
			state: presentState(deps.clock, conversation),
		};
	}
	const from = input.after === undefined ? 'newest' : 'oldest';
	const rows = await queries.listMessages(deps.db, input.userId, {
		above: Math.max(cleared, input.after ?? 0),
		below: input.before ?? null,
		from,
		limit: input.limit + 1,
	});
	const items = rows.slice(0, input.limit).map(presentMessage);
	if (from === 'newest') items.reverse();
	return { items, isMore: rows.length > items.length, state: presentState(deps.clock, conversation) };
}

/** More places of one search nobody goes through. */
const maxSearchMatches = 500;

/** Messages in which something is said, by their sequence, the newest first. @throws AppError NOT_FOUND */
export async function listSearchMatches(
	deps: Deps,
	caller: MemberCaller,
	input: { userId: string; search?: string | undefined },
): Promise<{ sequences: number[]; isMore: boolean }> {
	await requireReader(deps.db, caller, input.userId);
	const searchKey = searchKeyOf(input.search ?? '').trim();
	if (searchKey === '') return { sequences: [], isMore: false };
	const found = await queries.listSearchMatches(deps.db, input.userId, searchKey, maxSearchMatches + 1);
	return { sequences: found.slice(0, maxSearchMatches), isMore: found.length > maxSearchMatches };
}

/** What a message says: a text, or a file whose bytes are kept already. */
export interface NewMessage {
	clientId: string;
	/** Counted against the member's limits before, by {@link reserveFileQuota}. */
	isCounted?: boolean;
	/** Who wrote it, where the page says so. */
	authorId?: string | undefined;
	message: string;
	file?: { blobId: string; name: string; type: string; sizeBytes: number };
}

/**
 * Adds a message at the end of a conversation; `keep` writes what belongs to it in the same transaction. The same
 * `clientId` again gives the message that it made before, of one that was deleted since its place alone.
 * @throws AppError NOT_FOUND, UNAUTHORIZED where somebody else wrote it; of a member STORAGE_FULL and those of
 * {@link countMessage}
 */
export async function sendMessage(
	deps: Deps,
	caller: MemberCaller,
	userId: string,
	newMessage: NewMessage,
	writeRelated: (tx: Db) => Promise<void> = async () => {},
): Promise<ChatMessage> {
	requireAuthor(caller, newMessage);
	const amount = sizeOf(newMessage);
	await requireReader(deps.db, caller, userId);
	if (caller.actor.role !== 'admin') {
		await requireDatabaseSpace(deps, amount.sizeBytes);
		// Answered before there is a transaction: whoever goes on beyond the limits holds up no purchase.
		const earlier = newMessage.isCounted ? undefined : await requireMessageAllowed(deps, caller, userId, newMessage);
		if (earlier !== undefined) return earlier;
	}
	const { message, isNew } = await inChatTransaction(deps, async (tx) => {
		await requireWriter(tx, caller, userId);
		const now = isoAt(deps.clock);
		const conversation = await queries.lockConversation(tx, userId, now);
		const row = rowOf(caller, conversation, newMessage, now);
		if (!(await queries.insertMessageIfNew(tx, row))) {
			const sent = await queries.findSent(tx, userId, row.author_id, row.client_id);
			if (sent === undefined) throw new Error('A message that was sent already is not there.');
			if (caller.actor.role !== 'admin')
				await queries.updateConversation(tx, userId, await countMessage(deps, tx, caller, conversation, null));
			return { message: presentSent(sent, conversation.cleared_through), isNew: false };
		}
		const counted = newMessage.isCounted ? {} : await countMessage(deps, tx, caller, conversation, amount);
		await writeRelated(tx);
		await queries.updateConversation(tx, userId, {
			...counted,
			last_sequence: row.sequence,
			last_at: now,
			stored_files: conversation.stored_files + amount.fileCount,
			stored_bytes: conversation.stored_bytes + amount.sizeBytes,
			...planAfterMessage(deps, conversation, row.sender),
			...(row.sender === 'user'
				? { admin_unread: conversation.admin_unread + 1, user_typing_at: null, user_locale: caller.locale }
				: { user_unread: conversation.user_unread + 1, admin_typing_at: null }),
		});
		return { message: presentMessage(row), isNew: true };
	});
	if (isNew) publishMessage(deps, userId, message);
	// The process that took it may have died before it told anybody.
	else publish(deps, userId, { topic: 'chat', person: userId });
	return message;
}

/** So many writes of the chat at once reach the database: purchases wait behind no more of them. */
const concurrentWrites = { sqlite: createKeyedLimiter(2), postgres: createKeyedLimiter(6) };

function inChatTransaction<T>(deps: Deps, work: (tx: Db) => Promise<T>): Promise<T> {
	return concurrentWrites[deps.connection.kind].run('chat', () => inTransaction(deps.db, work));
}

/**
 * Checks a member's message against the limits; nothing is counted.
 * @returns the message, where it was taken before and only the limit of a minute stands against it
 * @throws those of {@link countMessage}
 */
async function requireMessageAllowed(
	deps: Deps,
	caller: MemberCaller,
	userId: string,
	said: NewMessage,
): Promise<ChatMessage | undefined> {
	const conversation = await queries.findConversation(deps.db, userId);
	const sent = await queries.findSent(deps.db, userId, caller.actor.userId, said.clientId);
	if (sent === undefined) await countMessage(deps, deps.db, caller, conversation, sizeOf(said));
	else if (isMinuteFull(deps, conversation)) return presentSent(sent, conversation?.cleared_through ?? 0);
	return undefined;
}

function sizeOf({ file, message }: NewMessage): ChatAmount {
	return file === undefined
		? { fileCount: 0, sizeBytes: Buffer.byteLength(message) }
		: { fileCount: 1, sizeBytes: file.sizeBytes };
}

/**
 * Counts a file against the member's limits before its bytes are stored, so that many at once cannot pass together.
 * @returns a function that takes the count back, for a file that was not sent after all
 * @throws AppError NOT_FOUND; those of {@link countMessage}
 */
export async function reserveFileQuota(
	deps: Deps,
	caller: MemberCaller,
	userId: string,
	sizeBytes: number,
): Promise<() => Promise<void>> {
	if (caller.actor.role === 'admin') return async () => {};
	const counted = await inChatTransaction(deps, async (tx) => {
		await requireWriter(tx, caller, userId);
		const conversation = await queries.lockConversation(tx, userId, isoAt(deps.clock));
		const counts = await countMessage(deps, tx, caller, conversation, { fileCount: 1, sizeBytes });
		await queries.updateConversation(tx, userId, counts);
		return counts;
	});
	return () =>
		inChatTransaction(deps, async (tx) => {
			const conversation = await queries.findConversationForUpdate(tx, userId);
			if (conversation === undefined || conversation.day_resets_at !== counted.day_resets_at) return;
			await queries.updateConversation(tx, userId, {
				day_files: Math.max(0, conversation.day_files - 1),
				day_bytes: Math.max(0, conversation.day_bytes - sizeBytes),
			});
		});
}

/** Whether the member's limits still allow a file of this size; nothing is counted. @throws those of {@link countMessage} */
export async function requireFileAllowed(
	deps: Deps,
	caller: MemberCaller,
	userId: string,
	sizeBytes: number,
): Promise<void> {
	const conversation = await queries.findConversation(deps.db, userId);
	await countMessage(deps, deps.db, caller, conversation, { fileCount: 1, sizeBytes });
}

/** A browser that is somebody else's by now sends nobody else's words. @throws AppError UNAUTHORIZED */
export function requireAuthor({ actor }: MemberCaller, { authorId }: Pick<NewMessage, 'authorId'>): void {
	if (authorId !== undefined && authorId !== actor.userId) throw new AppError('UNAUTHORIZED');
}

/** What the caller has sent under this name already. @throws AppError NOT_FOUND */
export async function findSentMessage(
	deps: Deps,
	caller: MemberCaller,
	userId: string,
	clientId: string,
): Promise<ChatMessage | undefined> {
	await requireReader(deps.db, caller, userId);
	const sent = await queries.findSent(deps.db, userId, caller.actor.userId, clientId);
	const conversation = sent && (await queries.findConversation(deps.db, userId));
	return sent && presentSent(sent, conversation?.cleared_through ?? 0);
}

function rowOf(
	caller: MemberCaller,
	conversation: queries.ConversationRow,
	{ clientId, message, file }: NewMessage,
	now: string,
): queries.MessageRow {
	return {
		id: newId(),
		user_id: conversation.user_id,
		sequence: conversation.last_sequence + 1,
		sender: sideOf(caller),
		author_id: caller.actor.userId,
		client_id: clientId,
		message: file === undefined ? message : '',
		blob_id: file?.blobId ?? null,
		file_name: file?.name ?? null,
		file_type: file?.type ?? null,
		file_size_bytes: file?.sizeBytes ?? null,
		search_key: searchKeyOf(file?.name ?? message),
		created_at: now,
	};
}

/** A key within so little time after another tells nothing new: half of what the page waits between two. */
const typingThrottleMs = typingMs / 8;

/** A key was pressed. @throws AppError NOT_FOUND */
export async function setTyping(deps: Deps, caller: MemberCaller, userId: string): Promise<void> {
	const side = sideOf(caller);
	const now = deps.clock.now();
	const isTold = (conversation: queries.ConversationRow | undefined) => {
		const toldAt = side === 'user' ? conversation?.user_typing_at : conversation?.admin_typing_at;
		const sinceMs = now.getTime() - Date.parse(toldAt ?? '');
		return sinceMs >= 0 && sinceMs < typingThrottleMs;
	};
	await requireReader(deps.db, caller, userId);
	if (isTold(await queries.findConversation(deps.db, userId))) return;
	const typingAt = now.toISOString();
	const isNew = await inChatTransaction(deps, async (tx) => {
		await requireWriter(tx, caller, userId);
		if (isTold(await queries.lockConversation(tx, userId, typingAt))) return false;
		await queries.updateConversation(
			tx,
			userId,
			side === 'user' ? { user_typing_at: typingAt } : { admin_typing_at: typingAt },
		);
		return true;
	});
	if (isNew) publish(deps, userId, { topic: 'typing', person: userId, typing: side });
}

/** The other side's messages up to `through` have been seen. Never goes back. @throws AppError NOT_FOUND */
export async function markViewed(deps: Deps, caller: MemberCaller, userId: string, through: number): Promise<void> {
	const side = sideOf(caller);
	const isUser = side === 'user';
	const isSeen = (conversation: queries.ConversationRow) =>
		Math.min(through, conversation.last_sequence) <=
		(isUser ? conversation.user_viewed_through : conversation.admin_viewed_through);
	await requireReader(deps.db, caller, userId);
	const known = await queries.findConversation(deps.db, userId);
	if (known !== undefined && isSeen(known)) return;
	const hasChanged = await inChatTransaction(deps, async (tx) => {
		await requireWriter(tx, caller, userId);
		const conversation = await queries.findConversationForUpdate(tx, userId);
		if (conversation === undefined || isSeen(conversation)) return false;
		const seen = Math.min(through, conversation.last_sequence);
		const unread = await queries.countAfter(tx, userId, isUser ? 'admin' : 'user', seen);
		await queries.updateConversation(tx, userId, {
			...(await planAfterView(deps, tx, conversation, side, { seen, unread })),
			...(isUser
				? { user_viewed_through: seen, user_unread: unread, user_locale: caller.locale }
				: { admin_viewed_through: seen, admin_unread: unread }),
		});
		return true;
	});
	if (hasChanged) publish(deps, userId, { topic: 'chat', person: userId });
}

/**
 * 'Delete All Chat': at once nobody reads a message of up to now any more; rows and files go in a job.
 * @throws AppError NOT_FOUND
 */
export async function deleteAllMessages(deps: Deps, caller: MemberCaller, userId: string): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		await requireWriter(tx, caller, userId);
		if ((await queries.findConversation(tx, userId)) === undefined) return;
		const { last_sequence: through } = await queries.lockConversation(tx, userId, isoAt(deps.clock));
		await queries.updateConversation(tx, userId, {
			cleared_through: through,
			user_viewed_through: through,
			admin_viewed_through: through,
			user_unread: 0,
			admin_unread: 0,
			last_at: null,
			stored_files: 0,
			stored_bytes: 0,
		});
		await cancelChatMails(tx, userId);
		await enqueueChatDeletion(deps, tx, userId, through);
		await recordAudit(deps, tx, caller, {
			action: 'chat-cleared',
			subjectKind: 'user',
			subjectId: userId,
			detail: { through },
		});
	});
	deps.wakeWorkers();
	publish(deps, userId, { topic: 'chat', person: userId, isCleared: true });
}

/** Members read and write in their own conversation, admins in all. @throws AppError NOT_FOUND */
export async function requireReader(db: Db, { actor }: MemberCaller, userId: string): Promise<void> {
	if (actor.userId === userId) return;
	if (actor.role !== 'admin' || !(await listEmailsByUserId(db, [userId])).has(userId)) throw new AppError('NOT_FOUND');
}

/** The same inside a transaction that writes there: whose it is stays until the commit, or is deleted already. */
async function requireWriter(tx: Db, { actor }: MemberCaller, userId: string): Promise<void> {
	const isReader = actor.userId === userId || actor.role === 'admin';
	if (!isReader || !(await lockUserIfExists(tx, userId))) throw new AppError('NOT_FOUND');
}

/** An admin speaks for the owner, in a conversation of their own too. */
function sideOf({ actor }: MemberCaller): ChatSide {
	return actor.role === 'admin' ? 'admin' : 'user';
}

function publishMessage(deps: Deps, person: string, message: ChatMessage): void {
	const fits = message.message.length <= maxInlineMessageLength;
	publish(deps, person, fits ? { topic: 'message', person, message } : { topic: 'chat', person });
}

/** To the member and to every admin; an admin's own conversation only once. */
function publish(deps: Deps, userId: string, hint: ServerEvent): void {
	deps.bus.publish({ kind: 'hint', audience: { to: 'conversation', userId }, hint });
}
