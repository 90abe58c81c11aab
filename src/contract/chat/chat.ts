import * as z from 'zod';
import { cursor, pageOf, pageSize, recordId, searchText, timestamp } from '../core/common-fields.ts';
import { command, endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { hasVisibleCharacters } from '../core/text.ts';

/** The two sides of a conversation: its member (`user`), and all admins (`admin`). */
export const chatSides = ['user', 'admin'] as const;
export type ChatSide = (typeof chatSides)[number];

export function otherSide(side: ChatSide): ChatSide {
	return side === 'user' ? 'admin' : 'user';
}

/** Side that is typing; automatically becomes `none` {@link typingMs} after the last keystroke. */
export const typing = z.enum([...chatSides, 'none']);
export type Typing = z.infer<typeof typing>;

/** Milliseconds after a keystroke for which a user is shown as typing. Source: the specification's section 6. */
export const typingMs = 1000;

/** Seconds after which the other side gets a mail about an unviewed message. */
export const chatMailDelaySeconds = 300;

/** One message. `message` is the text, or the URL of a file. */
export const chatMessage = z.object({
	id: z.string(),
	/** Position in the conversation: increases with each message and is never reused. */
	sequence: z.number(),
	/** ID chosen by the sender's page, which recognises its own messages by this ID. */
	clientId: z.string(),
	sender: z.enum(chatSides),
	message: z.string(),
	isFile: z.boolean(),
	/** Type (detected from the content), name and size of a file; null for text. */
	fileType: z.string().nullable(),
	fileName: z.string().nullable(),
	fileSizeBytes: z.number().nullable(),
	createdAt: timestamp,
});
export type ChatMessage = z.infer<typeof chatMessage>;

export const chatState = z.object({
	/** Sequence of the newest message; 0 before the first. */
	lastSequence: z.number(),
	/** Messages up to this sequence have been deleted. */
	clearedThrough: z.number(),
	/** The sequence up to which each side has viewed the other's messages. */
	viewedThrough: z.object({ user: z.number(), admin: z.number() }),
	typing,
});
export type ChatState = z.infer<typeof chatState>;

/** Newest message of a conversation that matches a search. */
export const chatSearchMatch = z.object({
	sequence: z.number(),
	at: timestamp,
	isFile: z.boolean(),
	/** The matched words (`hit`) and some text before and after them. */
	before: z.string(),
	hit: z.string(),
	after: z.string(),
});
export type ChatSearchMatch = z.infer<typeof chatSearchMatch>;

/** Filters of the conversation list. `unread`: with unread messages; `buyers`: the member has an order. */
export const chatFilters = ['all', 'unread', 'buyers'] as const;
export type ChatFilter = (typeof chatFilters)[number];

/** A row of the admins' conversation list. */
export const chatSummary = z.object({
	userId: z.string(),
	email: z.string(),
	name: z.string().nullable(),
	/** The newest message. `text`: its first words, or its file name; `isPhoto`: whether the file is an image. */
	lastMessage: z.object({ sender: z.enum(chatSides), text: z.string(), isFile: z.boolean(), isPhoto: z.boolean() }),
	lastAt: timestamp,
	/** Number of the member's messages that no admin has viewed. */
	unread: z.number(),
	/** Null without a search, and when only the member's name or address matches. */
	found: chatSearchMatch.nullable(),
});
export type ChatSummary = z.infer<typeof chatSummary>;

export const chatErrors = defineErrors({
	/** The specification prescribes this text. */
	MESSAGE_REFUSED: { status: 422, messageKey: 'error_message_not_sent' },
	CHAT_MINUTE_LIMIT: { status: 429, messageKey: 'error_chat_minute_limit' },
	CHAT_DAY_LIMIT: { status: 429, messageKey: 'error_chat_day_limit' },
	CHAT_DAY_LIMIT_UNPAID: { status: 429, messageKey: 'error_chat_day_limit_unpaid' },
});

/** Maximum number of messages of a member per minute, texts and files together; scaled by RATE_LIMIT_FACTOR. */
export const chatMessagesPerMinute = 60;

/** Storage used by one conversation, and its member's use of the daily limits. */
export const chatStorageUse = z.object({
	userId: z.string(),
	email: z.string(),
	/** Number of stored files of both sides. */
	fileCount: z.number(),
	/** Bytes of the stored files and of the texts. */
	usedBytes: z.number(),
	/** Use of the daily limits. A day begins with a message of the member; zeros when 24 hours have passed since then. */
	lastDay: z.object({
		fileCount: z.number(),
		usedBytes: z.number(),
		filesLimit: z.number(),
		bytesLimit: z.number(),
	}),
});

const conversationInput = z.object({ userId: recordId });
/** Message sequence, within the integer range of both databases. */
const sequence = z.coerce.number().pipe(z.int32().min(0));
/** Chosen by the sender's page, so that a retry after a lost response creates no second message. */
export const clientId = z.string().regex(/^[\w-]{8,64}$/u, 'error_invalid_input');

/**
 * ID of the user whom the page shows as the author. If another user has signed in to the browser since, the call fails
 * with UNAUTHORIZED and the message stays unsent for its author. Without `authorId`, the author is the session's user.
 */
export const authorId = recordId.optional();

/** Text with at least one visible character; lone surrogates are replaced. Source: the specification's section 7. */
export const chatText = z
	.string()
	.overwrite((text) => text.toWellFormed())
	.max(limits.textMaxLength, 'error_field_too_long')
	.refine((text) => !text.includes('\0'), 'error_invalid_input')
	.refine(hasVisibleCharacters, 'error_message_empty');

/**
 * Returns the path of a conversation's files: POST with `?clientId=&authorId=` sends a file, GET `/{message id}` reads
 * the file of a message.
 */
export const attachmentsPath = (userId: string) => `/api/chats/${userId}/attachments`;

/** One conversation per member. Members may use only their own user ID; another ID responds with NOT_FOUND. */
export const chat = {
	/** Lists conversations that have messages, newest first. `search` looks in addresses, names and messages. */
	list: endpoint('admin', 'GET /api/chats', 'List the conversations, newest first')
		.input(z.object({ search: searchText, show: z.enum(chatFilters).default('all'), cursor, limit: pageSize }))
		.output(pageOf(chatSummary, { unread: z.number() })),
	/** Counts unviewed messages: in the member's own conversation, or for an admin in all conversations. */
	unread: endpoint('member', 'GET /api/chat-unread', 'Count the unread messages', { isOpenInView: true }).output(
		z.object({ unread: z.number() }),
	),
	/** Returns messages by ascending sequence: the newest, or messages before, after or around a sequence. NOT_FOUND. */
	messages: endpoint('member', 'GET /api/chats/{userId}/messages', 'List the messages of a conversation', {
		isOpenInView: true,
	})
		.input(
			conversationInput.extend({
				before: sequence.optional(),
				after: sequence.optional(),
				around: sequence.optional(),
				limit: pageSize,
			}),
		)
		.output(
			z.object({
				items: z.array(chatMessage),
				/** Whether more messages exist in the requested direction; with `around`, before the returned ones. */
				isMore: z.boolean(),
				state: chatState,
			}),
		),
	/** Returns the sequences of the messages that match the search, newest first. NOT_FOUND. */
	hits: endpoint('admin', 'GET /api/chats/{userId}/hits', 'Find the messages of a conversation that match a search')
		.input(conversationInput.extend({ search: searchText }))
		.output(z.object({ sequences: z.array(z.number()), isMore: z.boolean() })),
	/**
	 * Sends a message. A repeated `clientId` returns the existing message, without its text if the message was deleted
	 * within the last day. NOT_FOUND, INVALID_INPUT with `fields.message`; for a member CHAT_MINUTE_LIMIT,
	 * CHAT_DAY_LIMIT, CHAT_DAY_LIMIT_UNPAID, STORAGE_FULL.
	 */
	send: endpoint('member', 'POST /api/chats/{userId}/messages', 'Send a message')
		.input(conversationInput.extend({ clientId, authorId, message: chatText }))
		.output(chatMessage),
	/** Reports a keystroke. NOT_FOUND. */
	type: command('member', 'POST /api/chats/{userId}/typing', 'Report that the caller is typing').input(
		conversationInput,
	),
	viewOwn: command('member', 'POST /api/chat-viewed', 'Mark the messages of the admins as viewed').input(
		z.object({ through: z.number().int().min(0) }),
	),
	/** `through`: sequence of the last viewed message. NOT_FOUND. */
	view: command('admin', 'POST /api/chats/{userId}/viewed', 'Mark the messages of a member as viewed').input(
		conversationInput.extend({ through: z.number().int().min(0) }),
	),
	storage: endpoint('admin', 'GET /api/chat-storage', 'List the storage used by each conversation')
		.input(z.object({ cursor, limit: pageSize }))
		.output(pageOf(chatStorageUse, { totals: z.object({ fileCount: z.number(), usedBytes: z.number() }) })),
	/** Deletes all messages up to now, with their files. NOT_FOUND. */
	clear: command('admin', 'DELETE /api/chats/{userId}/messages', 'Delete all messages of a conversation').input(
		conversationInput,
	),
};
