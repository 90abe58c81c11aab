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

/** Returns the query keys that a topic invalidates; null for all. `alive` is only a heartbeat. */
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

const listeners = new Set<(event: ServerEvent) => void>();

/**
 * Subscribes to every event, for uses other than refetching.
 * @returns a function that unsubscribes
 */
export function onServerEvent(listener: (event: ServerEvent) => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

/** Handles an event: visible queries whose data may have changed are refetched. */
function handleEvent(queryClient: QueryClient, event: ServerEvent): void {
	for (const listener of listeners) listener(event);
	if (event.topic === 'ended') {
		endSession(event.reason);
		return;
	}
	const keys = staleKeys(event.topic);
	if (keys === null) void queryClient.invalidateQueries();
	else for (const queryKey of keys) invalidateThrottled(queryClient, queryKey);
}

const throttleMs = 700;
const throttled = new Map<string, boolean>();

/**
 * Invalidates at once, and once more for all events within a short time: a thousand files cause a few list requests,
 * not a thousand.
 */
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

/** Longest time in ms that a response may have been on its way. */
const inFlightMs = 5000;

/** Returns the age of the oldest data on the screen; no data is older than the document. */
function oldestDataAgeMs(queryClient: QueryClient): number {
	const answeredAt = queryClient
		.getQueryCache()
		.getAll()
		.map(({ state }) => state.dataUpdatedAt)
		.filter((at) => at > 0);
	const oldestMs = Date.now() - Math.min(Date.now(), ...answeredAt) + inFlightMs;
	return Math.ceil(Math.min(oldestMs, performance.now()));
}

/** Keeps the event stream open while a user is signed in. Mount once, below the guards. */
export function useServerEvents(): void {
	const queryClient = useQueryClient();
	const [count, setCount] = useState(0);
	// The stream of the previous session ended with that session.
	useEffect(() => onReauthenticated(() => setCount((before) => before + 1)), []);
	// A page that was loaded offline has its data from the device.
	useEffect(
		() => onReconnected(() => isControlledByServiceWorker() && void queryClient.invalidateQueries()),
		[queryClient],
	);
	useEffect(() => {
		void count;
		const stream = openEventStream(
			(event) => handleEvent(queryClient, event),
			reportConnection,
			() => oldestDataAgeMs(queryClient),
		);
		return () => {
			stream.close();
			// Signed out: there is no connection that could be lost.
			reportConnection(true);
		};
	}, [queryClient, count]);
}
