import * as z from 'zod';
import { chatMessage, typing } from '../chat/chat.ts';

/**
 * An event on the event stream: data of this topic has changed. The page fetches the data again with an authorised
 * call. Events contain no private data, except chat messages for users who may read them. `resync`: everything may have
 * changed (after a reconnect). `alive`: nothing has changed; the event shows that the connection works. `ended`: this
 * session has ended because of `reason`.
 */
export const serverEvent = z.discriminatedUnion('topic', [
	z.object({ topic: z.literal('nodes'), owner: z.string() }),
	/** The nodes shared with a user, or the contents of these nodes, have changed. */
	z.object({ topic: z.literal('shares') }),
	z.object({ topic: z.literal('dashboard') }),
	z.object({ topic: z.literal('contact-info') }),
	z.object({ topic: z.literal('orders') }),
	z.object({ topic: z.literal('book-access') }),
	z.object({ topic: z.literal('book-settings') }),
	z.object({ topic: z.literal('storefront-draft') }),
	/** The user's annotations in a document have changed, on another page or device. */
	z.object({ topic: z.literal('reading'), document: z.string() }),
	z.object({ topic: z.literal('users') }),
	z.object({ topic: z.literal('groups') }),
	/** The user's saved filters have changed, on another page or device. */
	z.object({ topic: z.literal('saved-filters') }),
	z.object({ topic: z.literal('logins') }),
	z.object({ topic: z.literal('removals') }),
	z.object({ topic: z.literal('sessions') }),
	z.object({ topic: z.literal('outbox') }),
	z.object({ topic: z.literal('first-steps') }),
	z.object({ topic: z.literal('credentials') }),
	z.object({ topic: z.literal('credential-lookups') }),
	z.object({ topic: z.literal('audit') }),
	z.object({ topic: z.literal('visits') }),
	/** A conversation changed, or a message too long for an event was sent. `isCleared`: all messages were deleted. */
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

/** Interval of `alive` events. A connection without events for much longer is broken, even if the browser shows it open. */
export const heartbeatIntervalMs = 20_000;

/** How long events are retained, for pages that fetched data before an event and connected after the event. */
export const eventRetentionMs = 60_000;

/** `ageMs`: age of the oldest data on the page. The server first sends the events since that data was fetched. */
export const eventsQuery = z.object({ ageMs: z.coerce.number().int().min(0).optional() });
