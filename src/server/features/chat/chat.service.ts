import {
	type ChatMessage,
	type ChatSide,
	type ChatSummary,
	type chat,
	otherSide,
	typingMs,
} from '#contract/chat/chat.ts';
import type { InputOf } from '#contract/core/endpoint.ts';
import type { ServerEvent } from '#contract/core/events.ts';
import type { MemberCaller } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { isoAt } from '../../platform/clock.ts';
import { timeAndId, toPage, unpackCursor } from '../../platform/cursor.ts';
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
import { type ChatAmount, countMessage, isMinuteFull, textBytes } from './chat-limits.ts';
import { enqueueChatDeletion } from './deletion/deletion.service.ts';
import { cancelChatMails, planAfterMessage, planAfterView } from './mail-notifications/mail-notifications.service.ts';
import { searchKeyOf } from './search-excerpt.ts';

/** Clients fetch longer messages, because a PostgreSQL NOTIFY has at most 8,000 bytes. */
const maxInlineMessageLength = 1000;

/** Returns one page of the owner's list of conversations. @throws AppError INVALID_INPUT for an invalid cursor */
export async function listChats(deps: Deps, input: InputOf<typeof chat.list>) {
	const searchKey = searchKeyOf(input.search ?? '').trim();
	const rows = await queries.listConversations(deps.db, {
		searchKey,
		show: input.show,
		after: unpackCursor(input.cursor, timeAndId),
		limit: input.limit + 1,
	});
	const { page, nextCursor } = toPage(rows, input.limit, (last) => [last.lastAt ?? '', last.userId]);
	const matches = await queries.findNewestMatches(
		deps.db,
		page.map(({ userId }) => userId),
		searchKey,
	);
	const items: ChatSummary[] = [];
	const yieldRegularly = createTimedYield();
	for (const row of page) {
		items.push(presentSummary(row, matches.get(row.userId), searchKey));
		// A page may contain a thousand long messages. Without yielding, they would block other requests.
		await yieldRegularly();
	}
	return { items, nextCursor, unread: await queries.sumUnread(deps.db) };
}

export async function countUnread(deps: Deps, caller: MemberCaller): Promise<{ unread: number }> {
	if (caller.actor.role === 'admin') return { unread: await queries.sumUnread(deps.db) };
	const conversation = await queries.findConversation(deps.db, caller.actor.userId);
	return { unread: conversation?.user_unread ?? 0 };
}

/** Lists the newest messages, or messages around a sequence or on one side of it. @throws AppError NOT_FOUND */
export async function listMessages(deps: Deps, caller: MemberCaller, input: InputOf<typeof chat.messages>) {
	await requireReader(deps.db, caller, input.userId);
	const conversation = await queries.findConversation(deps.db, input.userId);
	const state = presentState(deps.clock, conversation);
	const cleared = state.clearedThrough;
	const read = (window: queries.MessageWindow) => queries.listMessages(deps.db, input.userId, window);
	const { around } = input;
	if (around !== undefined) {
		const half = Math.ceil(input.limit / 2);
		const before = await read({ above: cleared, below: around, from: 'newest', limit: half + 1 });
		const after = await read({ above: Math.max(cleared, around - 1), below: null, from: 'oldest', limit: half });
		const rows = [...before.slice(0, half).reverse(), ...after];
		return { items: rows.map(presentMessage), isMore: before.length > half, state };
	}
	const from = input.after === undefined ? 'newest' : 'oldest';
	const above = Math.max(cleared, input.after ?? 0);
	const rows = await read({ above, below: input.before ?? null, from, limit: input.limit + 1 });
	const items = rows.slice(0, input.limit).map(presentMessage);
	if (from === 'newest') items.reverse();
	return { items, isMore: rows.length > items.length, state };
}

const maxSearchMatches = 500;

/** Lists the sequences of the messages that contain a text, newest first. @throws AppError NOT_FOUND */
export async function listSearchMatches(deps: Deps, caller: MemberCaller, input: InputOf<typeof chat.hits>) {
	await requireReader(deps.db, caller, input.userId);
	const searchKey = searchKeyOf(input.search ?? '').trim();
	if (searchKey === '') return { sequences: [], isMore: false };
	const matches = await queries.listSearchMatches(deps.db, input.userId, searchKey, maxSearchMatches + 1);
	return { sequences: matches.slice(0, maxSearchMatches), isMore: matches.length > maxSearchMatches };
}

export interface NewMessage {
	clientId: string;
	authorId?: string | undefined;
	message: string;
	file?: { blobId: string; name: string; type: string; sizeBytes: number };
}

/**
 * Appends a message to a conversation; `writeRelated` writes related rows in the same transaction. A repeated
 * `clientId` adds nothing and returns the earlier message, without text and file if that message was deleted.
 * @throws AppError NOT_FOUND, UNAUTHORIZED if the author is another user; for a member STORAGE_FULL and the errors of
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
		// Checked before the transaction too, so that refused messages do not delay purchases.
		const earlier = await requireMessageAllowed(deps, caller, userId, newMessage);
		if (earlier !== undefined) return earlier;
	}
	const { message, isNew } = await inChatTransaction(deps, async (tx) => {
		await requireWriter(tx, caller, userId);
		const now = isoAt(deps.clock);
		const conversation = await queries.lockConversation(tx, userId, now);
		const row = rowOf(caller, conversation, newMessage, now);
		if (!(await queries.insertMessageIfNew(tx, row))) {
			const sent = await queries.findSent(tx, userId, row.author_id, row.client_id);
			if (sent === undefined) throw new Error('The earlier message with this client ID does not exist.');
			if (caller.actor.role !== 'admin')
				await queries.updateConversation(tx, userId, await countMessage(deps, tx, caller, conversation, null));
			return { message: presentSent(sent, conversation.cleared_through), isNew: false };
		}
		const counted = await countMessage(deps, tx, caller, conversation, amount);
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
	// The process that stored the message may have died before it published the event.
	else publish(deps, userId, { topic: 'chat', person: userId });
	return message;
}

/** Maximum number of concurrent chat writes, so that purchases do not wait behind many chat writes. */
const concurrentWrites = { sqlite: createKeyedLimiter(2), postgres: createKeyedLimiter(6) };

function inChatTransaction<T>(deps: Deps, work: (tx: Db) => Promise<T>): Promise<T> {
	return concurrentWrites[deps.connection.kind].run('chat', () => inTransaction(deps.db, work));
}

/**
 * Checks a member's message against the limits without counting it.
 * @returns the earlier message, if the message was stored before and the limit per minute is exceeded
 * @throws the errors of {@link countMessage}
 */
async function requireMessageAllowed(deps: Deps, caller: MemberCaller, userId: string, newMessage: NewMessage) {
	const conversation = await queries.findConversation(deps.db, userId);
	const sent = await queries.findSent(deps.db, userId, caller.actor.userId, newMessage.clientId);
	if (sent === undefined) await countMessage(deps, deps.db, caller, conversation, sizeOf(newMessage));
	else if (isMinuteFull(deps, conversation)) return presentSent(sent, conversation?.cleared_through ?? 0);
	return undefined;
}

function sizeOf({ file, message }: NewMessage): ChatAmount {
	return file === undefined
		? { fileCount: 0, sizeBytes: textBytes(message) }
		: { fileCount: 1, sizeBytes: file.sizeBytes };
}

/** Checks the member's limits for a file without counting it. @throws the errors of {@link countMessage} */
export async function requireFileAllowed(deps: Deps, caller: MemberCaller, userId: string, sizeBytes: number) {
	const conversation = await queries.findConversation(deps.db, userId);
	await countMessage(deps, deps.db, caller, conversation, { fileCount: 1, sizeBytes });
}

/** Refuses a message that was written by another user of this browser. @throws AppError UNAUTHORIZED */
export function requireAuthor({ actor }: MemberCaller, { authorId }: Pick<NewMessage, 'authorId'>): void {
	if (authorId !== undefined && authorId !== actor.userId) throw new AppError('UNAUTHORIZED');
}

/** Finds the caller's message with this client id. @throws AppError NOT_FOUND */
export async function findSentMessage(deps: Deps, caller: MemberCaller, userId: string, clientId: string) {
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

/** Typing reports within this time after the last event are ignored. A page sends at most one in twice this time. */
const typingThrottleMs = typingMs / 8;

/** @throws AppError NOT_FOUND */
export async function setTyping(deps: Deps, caller: MemberCaller, userId: string): Promise<void> {
	const side = sideOf(caller);
	const now = deps.clock.now();
	const isThrottled = (conversation: queries.ConversationRow | undefined) => {
		const sinceMs = now.getTime() - Date.parse(conversation?.[`${side}_typing_at`] ?? '');
		return sinceMs >= 0 && sinceMs < typingThrottleMs;
	};
	await requireReader(deps.db, caller, userId);
	if (isThrottled(await queries.findConversation(deps.db, userId))) return;
	const typingAt = now.toISOString();
	const isNew = await inChatTransaction(deps, async (tx) => {
		await requireWriter(tx, caller, userId);
		if (isThrottled(await queries.lockConversation(tx, userId, typingAt))) return false;
		await queries.updateConversation(tx, userId, { [`${side}_typing_at`]: typingAt });
		return true;
	});
	if (isNew) publish(deps, userId, { topic: 'typing', person: userId, typing: side });
}

/** Marks the other side's messages up to `through` as seen. @throws AppError NOT_FOUND */
export async function markViewed(deps: Deps, caller: MemberCaller, userId: string, through: number): Promise<void> {
	const side = sideOf(caller);
	const isSeen = (conversation: queries.ConversationRow) =>
		Math.min(through, conversation.last_sequence) <= conversation[`${side}_viewed_through`];
	await requireReader(deps.db, caller, userId);
	const known = await queries.findConversation(deps.db, userId);
	if (known !== undefined && isSeen(known)) return;
	const hasChanged = await inChatTransaction(deps, async (tx) => {
		await requireWriter(tx, caller, userId);
		const conversation = await queries.findConversationForUpdate(tx, userId);
		if (conversation === undefined || isSeen(conversation)) return false;
		const seen = Math.min(through, conversation.last_sequence);
		const unread = await queries.countAfter(tx, userId, otherSide(side), seen);
		await queries.updateConversation(tx, userId, {
			...(await planAfterView(deps, tx, conversation, side, { seen, unread })),
			[`${side}_viewed_through`]: seen,
			[`${side}_unread`]: unread,
			...(side === 'user' && { user_locale: caller.locale }),
		});
		return true;
	});
	if (hasChanged) publish(deps, userId, { topic: 'chat', person: userId });
}

/** Hides all messages at once ('Delete All Chat'). A job deletes them. @throws AppError NOT_FOUND */
export async function deleteAllMessages(deps: Deps, caller: MemberCaller, userId: string): Promise<void> {
	await inTransaction(deps.db, async (tx) => {
		await requireWriter(tx, caller, userId);
		const through = (await queries.findConversationForUpdate(tx, userId))?.last_sequence;
		if (through === undefined) return;
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
		await recordAudit(deps, tx, caller, 'chat-cleared', ['user', userId], { through });
	});
	deps.wakeWorkers();
	publish(deps, userId, { topic: 'chat', person: userId, isCleared: true });
}

/** Checks access to a conversation: members read only their own, admins that of every user. @throws AppError NOT_FOUND */
export async function requireReader(db: Db, { actor }: MemberCaller, userId: string): Promise<void> {
	if (actor.userId === userId) return;
	if (actor.role !== 'admin' || !(await listEmailsByUserId(db, [userId])).has(userId)) throw new AppError('NOT_FOUND');
}

/** Like {@link requireReader}, in a transaction that writes: also locks the user until the commit. */
async function requireWriter(tx: Db, { actor }: MemberCaller, userId: string): Promise<void> {
	const isReader = actor.userId === userId || actor.role === 'admin';
	if (!isReader || !(await lockUserIfExists(tx, userId))) throw new AppError('NOT_FOUND');
}

/** An admin writes as the owner, even in the admin's own conversation. */
function sideOf({ actor }: MemberCaller): ChatSide {
	return actor.role === 'admin' ? 'admin' : 'user';
}

function publishMessage(deps: Deps, person: string, message: ChatMessage): void {
	const fits = message.message.length <= maxInlineMessageLength;
	publish(deps, person, fits ? { topic: 'message', person, message } : { topic: 'chat', person });
}

/** Publishes to the member and to every admin. An admin receives an event of their own conversation only once. */
function publish(deps: Deps, userId: string, event: ServerEvent): void {
	deps.bus.publish({ kind: 'event', audience: { to: 'conversation', userId }, event });
}
