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
import { createEmitter } from './emitter.ts';
import { openEventStream } from './event-stream.ts';

type QueryKeys = readonly (readonly unknown[])[];

/** The query keys that a topic invalidates; null for all. `alive` is only a heartbeat. */
const staleKeys: Record<Exclude<ServerEvent['topic'], 'ended'>, QueryKeys | null> = {
	nodes: [api.files.key(), api.spaces.key(), api.sharing.key(), api.course.key(), api.chatPerson.key()],
	shares: [api.sharing.key(), api.course.key(), api.files.get.key()],
	dashboard: [api.dashboardSettings.key()],
	'contact-info': [api.contactInfo.key()],
	orders: [api.orders.key(), api.chatPerson.key(), api.bookGrants.key()],
	'book-access': [
		api.reader.key(),
		api.outlinePairs.key(),
		api.reading.key(),
		api.bookGrants.key(),
		api.chatPerson.key(),
	],
	reading: [api.reading.key()],
	'book-settings': [
		api.bookSettings.key(),
		api.storefrontSettings.key(),
		api.reader.key(),
		api.outlinePairs.key(),
		api.chatPerson.key(),
		api.cannedReplies.key(),
	],
	users: [api.people.key(), api.chatPerson.key(), sessionQuery.queryKey],
	logins: [api.history.key(), api.people.key(), api.chatPerson.key()],
	audit: [api.audit.key()],
	visits: [api.visits.key()],
	removals: [api.removals.key()],
	sessions: [api.sessions.key()],
	outbox: [api.mail.key()],
	credentials: [api.credentials.list.key()],
	'credential-lookups': [api.credentials.lookups.key()],
	chat: [api.chat.key()],
	message: [api.chat.key()],
	'canned-replies': [api.cannedReplies.key()],
	typing: [],
	alive: [],
	resync: null,
};

const serverEvents = createEmitter<ServerEvent>();

/** Subscribes to every event, for uses other than refetching. Returns a function that unsubscribes. */
export const onServerEvent = serverEvents.subscribe;

/** Handles an event: visible queries whose data may have changed are refetched. */
function handleEvent(queryClient: QueryClient, event: ServerEvent): void {
	serverEvents.emit(event);
	if (event.topic === 'ended') {
		endSession(event.reason);
		return;
	}
	const keys = staleKeys[event.topic];
	if (keys === null) void queryClient.invalidateQueries();
	else for (const queryKey of keys) invalidateThrottled(queryClient, queryKey);
}

const throttleMs = 700;
const throttled = new Map<string, boolean>();

/** Invalidates at once, and once more for all events within a short time, so that many events cause few requests. */
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
