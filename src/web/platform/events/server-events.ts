import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ServerEvent } from '#contract/core/events.ts';
import { api } from '../api/client.ts';
import { isControlledByServiceWorker } from '../offline/service-worker-registration.ts';
import { onReauthenticated } from '../session/reauthentication.ts';
import { sessionQuery } from '../session/session.ts';
import { endSession } from '../session/session-end.ts';
import { onReconnected, reportConnection } from './connection-status.ts';
import { openEventStream } from './event-stream.ts';

/** What a topic of the bus makes stale; null for everything. `alive` only keeps the line warm. */
function staleKeys(topic: Exclude<ServerEvent['topic'], 'ended'>): readonly (readonly unknown[])[] | null {
	switch (topic) {
		case 'nodes':
			return [api.files.key(), api.spaces.key(), api.sharing.key(), api.course.key(), api.chatPerson.key()];
		case 'shares':
			return [api.sharing.key(), api.course.key(), api.files.get.key()];
		case 'dashboard':
			return [api.dashboardSettings.key()];
		case 'contact-info':
			return [api.contactInfo.key()];
		case 'orders':
			return [api.orders.key(), api.chatPerson.key(), api.bookGrants.key()];
		case 'book-access':
			return [api.reader.key(), api.outlinePairs.key(), api.reading.key(), api.bookGrants.key(), api.chatPerson.key()];
		case 'reading':
			return [api.reading.key()];
		case 'book-settings':
			return [
				api.bookSettings.key(),
				api.storefrontSettings.key(),
				api.reader.key(),
				api.outlinePairs.key(),
				api.chatPerson.key(),
				api.cannedReplies.key(),
			];
		case 'users':
			return [api.people.key(), api.chatPerson.key(), sessionQuery.queryKey];
		case 'logins':
			return [api.history.key(), api.people.key(), api.chatPerson.key()];
		case 'audit':
			return [api.audit.key()];
		case 'visits':
			return [api.visits.key()];
		case 'removals':
			return [api.removals.key()];
		case 'sessions':
			return [api.sessions.key()];
		case 'outbox':
			return [api.mail.key()];
		case 'credentials':
			return [api.credentials.list.key()];
		case 'credential-lookups':
			return [api.credentials.lookups.key()];
		case 'chat':
		case 'message':
			return [api.chat.key()];
		case 'canned-replies':
			return [api.cannedReplies.key()];
		case 'typing':
		case 'alive':
			return [];
		case 'resync':
			return null;
	}
}

const listeners = new Set<(hint: ServerEvent) => void>();

/** Hears every hint as it comes, for what is more than a query to ask again. @returns how to stop */
export function onServerEvent(listener: (hint: ServerEvent) => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** Answers a hint: what is on the screen and may have changed is asked for again, through authorised calls. */
function handleEvent(queryClient: QueryClient, hint: ServerEvent): void {
	for (const listener of listeners) listener(hint);
	if (hint.topic === 'ended') {
		endSession(hint.reason);
		return;
	}
	const keys = staleKeys(hint.topic);
	if (keys === null) void queryClient.invalidateQueries();
	else for (const queryKey of keys) invalidateThrottled(queryClient, queryKey);
}

const throttleMs = 700;
const throttled = new Map<string, boolean>();

/** At once, and then once more for all that comes within a moment: a thousand files make some lists, not a thousand. */
export function invalidateThrottled(queryClient: QueryClient, queryKey: readonly unknown[]): void {
	const key = JSON.stringify(queryKey);
	if (throttled.has(key)) {
		throttled.set(key, true);
		return;
	}
	throttled.set(key, false);
	void queryClient.invalidateQueries({ queryKey });
	setTimeout(() => {
		const isAskedAgain = throttled.get(key);
		throttled.delete(key);
		if (isAskedAgain) invalidateThrottled(queryClient, queryKey);
	}, throttleMs);
}

/** An answer may have been on its way for so long. */
const inFlightMs = 5000;

/** How old the oldest may be of what the screens show; nothing is older than the document. */
function oldestDataAgeMs(queryClient: QueryClient): number {
	const answeredAt = queryClient
		.getQueryCache()
		.getAll()
		.map(({ state }) => state.dataUpdatedAt)
		.filter((at) => at > 0);
	const oldestMs = Date.now() - Math.min(Date.now(), ...answeredAt) + inFlightMs;
	return Math.ceil(Math.min(oldestMs, performance.now()));
}

/** Keeps the event line open while a person is signed in. Mount once, below the guards. */
export function useServerEvents(): void {
	const queryClient = useQueryClient();
	const [count, setCount] = useState(0);
	// The line of the session before ended with it.
	useEffect(() => onReauthenticated(() => setCount((before) => before + 1)), []);
	// What a page without a line was given came from the device.
	useEffect(
		() => onReconnected(() => isControlledByServiceWorker() && void queryClient.invalidateQueries()),
		[queryClient],
	);
	useEffect(() => {
		void count;
		const stream = openEventStream(
			(hint) => handleEvent(queryClient, hint),
			reportConnection,
			() => oldestDataAgeMs(queryClient),
		);
		return () => {
			stream.close();
			// Nobody is signed in any more: there is no line to miss.
			reportConnection(true);
		};
	}, [queryClient, count]);
}
