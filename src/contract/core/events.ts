import * as z from 'zod';
import { chatMessage, typing } from '../chat/chat.ts';

/**
 * A hint on the event stream: something under this topic has changed, look again through an authorised call.
 * Nothing private travels in it but messages of a conversation, to those who may read it. `resync`: everything may have changed (after a reconnect).
 * `alive`: nothing has changed, the line is up. `ended`: this session is over, by `reason`.
 */
export const serverEvent = z.discriminatedUnion('topic', [
	z.object({ topic: z.literal('nodes'), owner: z.string() }),
	/** What somebody may read by shares, or what lies in it, has changed. */
	z.object({ topic: z.literal('shares') }),
	z.object({ topic: z.literal('dashboard') }),
	z.object({ topic: z.literal('contact-info') }),
	z.object({ topic: z.literal('orders') }),
	z.object({ topic: z.literal('book-access') }),
	z.object({ topic: z.literal('book-settings') }),
	/** One's own marks in a document, on another page or device. */
	z.object({ topic: z.literal('reading'), document: z.string() }),
	z.object({ topic: z.literal('users') }),
	z.object({ topic: z.literal('logins') }),
	z.object({ topic: z.literal('removals') }),
	z.object({ topic: z.literal('sessions') }),
	z.object({ topic: z.literal('outbox') }),
	z.object({ topic: z.literal('credentials') }),
	z.object({ topic: z.literal('credential-lookups') }),
	z.object({ topic: z.literal('audit') }),
	z.object({ topic: z.literal('visits') }),
	/** Something about a conversation has changed; with longer messages than fit here, these too. `isCleared`: all of it was deleted. */
	z.object({ topic: z.literal('chat'), person: z.string(), isCleared: z.literal(true).optional() }),
	z.object({ topic: z.literal('message'), person: z.string(), message: chatMessage }),
	z.object({ topic: z.literal('canned-replies') }),
	z.object({ topic: z.literal('typing'), person: z.string(), typing }),
	z.object({ topic: z.literal('resync') }),
	z.object({ topic: z.literal('alive') }),
	z.object({
		topic: z.literal('ended'),
		reason: z.enum(['logout', 'deactivation', 'password', 'device', 'expiry', 'deletion']),
	}),
]);
export type ServerEvent = z.infer<typeof serverEvent>;

/** Path of the event stream (text/event-stream; each event's data is one {@link ServerEvent} as JSON). */
export const eventsPath = '/api/events';

/** So often a line says that it is `alive`: one that says nothing for longer is dead, whatever the browser believes. */
export const heartbeatIntervalMs = 20_000;

/** For so long a hint is kept for pages that asked before it and whose line stood only after it. */
export const eventRetentionMs = 60_000;

/** `ageMs`: how old the oldest answer is that the page shows; it is told first what was said since then. */
export const eventsQuery = z.object({ ageMs: z.coerce.number().int().min(0).optional() });
