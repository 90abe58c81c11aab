import * as z from 'zod';
import { cursor, pageSize, recordId, searchText, timestamp } from '../core/common-fields.ts';
import { endpoint } from '../core/endpoint.ts';
import { defineErrors } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { hasVisibleCharacters } from '../core/text.ts';

/** The two sides of a conversation: the member whose it is, and the owner with whoever else is an admin. */
export const chatSides = ['user', 'admin'] as const;
export type ChatSide = (typeof chatSides)[number];

/** Who is typing, as one value; the flag of a side goes out by itself after {@link typingMs}. */
export const typing = z.enum([...chatSides, 'none']);
export type Typing = z.infer<typeof typing>;

/** For so long after a key somebody is typing. Source: the specification's section 6. */
export const typingMs = 1000;

/** So long a message waits for the eyes of the other side before it is mailed to it. */
export const chatMailDelaySeconds = 300;

/** One bubble. `message` is text, or the address of a file. */
export const chatMessage = z.object({
	id: z.string(),
	/** Its place in the conversation: rises by each message, and never comes again. */
	sequence: z.number(),
	/** As the sender's page named it, so that it knows its own again. */
	clientId: z.string(),
	sender: z.enum(chatSides),
	message: z.string(),
	isFile: z.boolean(),
	/** Of a file: its type by its content, its name and its size; null otherwise. */
	fileType: z.string().nullable(),
	fileName: z.string().nullable(),
	fileSizeBytes: z.number().nullable(),
	createdAt: timestamp,
});
export type ChatMessage = z.infer<typeof chatMessage>;

/** What changes about a conversation beside its messages. */
export const chatState = z.object({
	/** Of the newest message, 0 before the first. */
	lastSequence: z.number(),
	/** Messages up to here have been deleted. */
	clearedThrough: z.number(),
	/** How far each side has seen the other's messages: what stands up to there is viewed. */
	viewedThrough: z.object({ user: z.number(), admin: z.number() }),
	typing,
});
export type ChatState = z.infer<typeof chatState>;

/** Where a search found something that was said: the newest such message of a conversation. */
export const chatSearchMatch = z.object({
	sequence: z.number(),
	at: timestamp,
	isFile: z.boolean(),
	/** The words that were looked for as they stand there, and some of what is around them. */
	before: z.string(),
	hit: z.string(),
	after: z.string(),
});
export type ChatSearchMatch = z.infer<typeof chatSearchMatch>;

/** Of whom the owner's list tells: everybody, those with unread messages, or those with an order. */
export const chatFilters = ['all', 'unread', 'buyers'] as const;
export type ChatFilter = (typeof chatFilters)[number];

/** A line of the owner's list. */
export const chatSummary = z.object({
	userId: z.string(),
	email: z.string(),
	name: z.string().nullable(),
	/** The newest message, as its first words or its file's name; `isPhoto`: of a picture, by its content. */
	lastMessage: z.object({ sender: z.enum(chatSides), text: z.string(), isFile: z.boolean(), isPhoto: z.boolean() }),
	lastAt: timestamp,
	/** Messages of the member that no admin has seen. */
	unread: z.number(),
	/** Null without a search, and where only the person was found. */
	found: chatSearchMatch.nullable(),
});
export type ChatSummary = z.infer<typeof chatSummary>;

export const chatErrors = defineErrors({
	/** The sentence to the letter as the specification has it. */
	MESSAGE_REFUSED: { status: 422, messageKey: 'error_message_not_sent' },
	CHAT_MINUTE_LIMIT: { status: 429, messageKey: 'error_chat_minute_limit' },
	CHAT_DAY_LIMIT: { status: 429, messageKey: 'error_chat_day_limit' },
	CHAT_DAY_LIMIT_UNPAID: { status: 429, messageKey: 'error_chat_day_limit_unpaid' },
});

/** Messages of a member within a minute, texts and files together; scaled by RATE_LIMIT_FACTOR. */
export const chatMessagesPerMinute = 60;

/** What one conversation stores, and how much of the daily limits its member has used. */
export const chatStorageUse = z.object({
	userId: z.string(),
	email: z.string(),
	/** Stored files of both sides. */
	fileCount: z.number(),
	/** Their bytes, and those of the texts. */
	usedBytes: z.number(),
	/** Used of the daily limits in the 24 hours from the member's first message on; zeros when they are over. */
	lastDay: z.object({
		fileCount: z.number(),
		usedBytes: z.number(),
		filesLimit: z.number(),
		bytesLimit: z.number(),
	}),
});
export type ChatStorageUse = z.infer<typeof chatStorageUse>;

const conversationInput = z.object({ userId: recordId });
/** A place in a conversation, as far as both databases count. */
const sequence = z.coerce.number().pipe(z.int32().min(0));
/** Chosen by the sender's page; sent again after a lost answer, it makes no second message. */
export const clientId = z.string().regex(/^[\w-]{8,64}$/u, 'error_invalid_input');

/**
 * Who wrote, as their page knows them. A browser may have become somebody else's since: then the call is answered with
 * UNAUTHORIZED, and the words wait for their writer. Without it the session alone says who speaks.
 */
export const authorId = recordId.optional();

/** What can be seen, kept as it will be read: half of a sign is none. Source: the specification's section 7. */
export const chatText = z
	.string()
	.overwrite((text) => text.toWellFormed())
	.max(limits.textMaxLength, 'error_field_too_long')
	.refine((text) => !text.includes('\0'), 'error_invalid_input')
	.refine(hasVisibleCharacters, 'error_message_empty');

/** Path of a conversation's files: posted here, one form each, `?clientId=&authorId=` as for a text; read at `/{message id}`. */
export const attachmentsPath = (userId: string) => `/api/chats/${userId}/attachments`;

/** A conversation for each member. A member calls with their own id; any other is NOT_FOUND. */
export const chat = {
	/** Newest first: those that were written to. `search` looks in addresses, names and messages. */
	list: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/chats', summary: 'Conversations, newest first' })
		.input(z.object({ search: searchText, show: z.enum(chatFilters).default('all'), cursor, limit: pageSize }))
		.output(z.object({ items: z.array(chatSummary), nextCursor: z.string().nullable(), unread: z.number() })),
	/** Messages that the caller has not seen: in their own conversation, or for an admin in all. */
	unread: endpoint
		.meta({ access: 'member', isOpenInView: true })
		.route({ method: 'GET', path: '/api/chat-unread', summary: 'How many messages are unread' })
		.output(z.object({ unread: z.number() })),
	/**
	 * In the order of their sequence: the newest, those before `before`, those after `after`, or those around the one
	 * that `around` names. NOT_FOUND.
	 * A conversation that nobody has written in yet is empty.
	 */
	messages: endpoint
		.meta({ access: 'member', isOpenInView: true })
		.route({ method: 'GET', path: '/api/chats/{userId}/messages', summary: 'Messages of a conversation' })
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
				/** There are more on the side that was asked for; of those around one, before them. */
				isMore: z.boolean(),
				state: chatState,
			}),
		),
	/** Messages of a conversation in which something is said, by their sequence, the newest first. NOT_FOUND. */
	hits: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/chats/{userId}/hits', summary: 'Where something is said' })
		.input(conversationInput.extend({ search: searchText }))
		.output(z.object({ sequences: z.array(z.number()), isMore: z.boolean() })),
	/**
	 * The same `clientId` again gives the message that it made; for a day after it was deleted, without its words.
	 * NOT_FOUND, INVALID_INPUT with `fields.message`; for a member CHAT_MINUTE_LIMIT, CHAT_DAY_LIMIT,
	 * CHAT_DAY_LIMIT_UNPAID, STORAGE_FULL.
	 */
	send: endpoint
		.meta({ access: 'member' })
		.route({ method: 'POST', path: '/api/chats/{userId}/messages', summary: 'Send a message' })
		.input(conversationInput.extend({ clientId, authorId, message: chatText }))
		.output(chatMessage),
	/** A key was pressed. NOT_FOUND. */
	type: endpoint
		.meta({ access: 'member' })
		.route({ method: 'POST', path: '/api/chats/{userId}/typing', summary: 'Tell that one is typing' })
		.input(conversationInput)
		.output(z.object({})),
	/** The member has the owner's messages up to `through` on the screen. */
	viewOwn: endpoint
		.meta({ access: 'member' })
		.route({ method: 'POST', path: '/api/chat-viewed', summary: 'Mark messages of the owner viewed' })
		.input(z.object({ through: z.number().int().min(0) }))
		.output(z.object({})),
	/** The same for an admin and a member's messages. NOT_FOUND. */
	view: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'POST', path: '/api/chats/{userId}/viewed', summary: "Mark a member's messages viewed" })
		.input(conversationInput.extend({ through: z.number().int().min(0) }))
		.output(z.object({})),
	/** What each conversation stores, the largest first. */
	storage: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'GET', path: '/api/chat-storage', summary: 'Storage used by chats' })
		.input(z.object({ cursor, limit: pageSize }))
		.output(
			z.object({
				items: z.array(chatStorageUse),
				nextCursor: z.string().nullable(),
				totals: z.object({ fileCount: z.number(), usedBytes: z.number() }),
			}),
		),
	/** All messages up to now, with their files. NOT_FOUND. */
	clear: endpoint
		.meta({ access: 'admin' })
		.route({ method: 'DELETE', path: '/api/chats/{userId}/messages', summary: 'Delete all chat' })
		.input(conversationInput)
		.output(z.object({})),
};
