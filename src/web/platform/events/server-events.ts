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

type StaleCalls = ReadonlyArray<{ key: () => readonly unknown[] }>;

const session = { key: () => sessionQuery.queryKey };

/** The calls whose data a topic makes stale; null for all. `alive` is only a heartbeat. */
const staleCalls: Record<Exclude<ServerEvent['topic'], 'ended'>, StaleCalls | null> = {
	nodes: [api.files, api.spaces, api.sharing, api.course, api.chatPerson],
	shares: [api.sharing, api.course, api.files.get],
	dashboard: [api.dashboardSettings],
	'contact-info': [api.contactInfo],
	orders: [api.orders, api.chatPerson, api.bookGrants],
	'book-access': [api.reader, api.outlinePairs, api.reading, api.bookGrants, api.chatPerson],
	reading: [api.reading],
	'book-settings': [
		api.bookSettings,
		api.storefrontSettings,
		api.reader,
		api.outlinePairs,
		api.chatPerson,
		api.cannedReplies,
	],
	users: [api.people, api.chatPerson, session],
	logins: [api.history, api.people, api.chatPerson],
	audit: [api.audit],
	visits: [api.visits],
	removals: [api.removals],
	sessions: [api.sessions],
	outbox: [api.mail],
	credentials: [api.credentials.list],
	'credential-lookups': [api.credentials.lookups],
	chat: [api.chat],
	message: [api.chat],
	'canned-replies': [api.cannedReplies],
	typing: [],
	alive: [],
	resync: null,
};

const serverEvents = createEmitter<ServerEvent>();

export const onServerEvent = serverEvents.subscribe;

/** Handles an event: visible queries whose data may have changed are refetched. */
function handleEvent(queryClient: QueryClient, event: ServerEvent): void {
	serverEvents.emit(event);
	if (event.topic === 'ended') {
		endSession(event.reason);
		return;
	}
	const calls = staleCalls[event.topic];
	if (calls === null) void queryClient.invalidateQueries();
	else for (const call of calls) invalidateThrottled(queryClient, call.key());
}

/** While events continue, the time between two requests doubles from the first value to the last. */
const throttleMs = 700;
const longestThrottleMs = 2800;
const throttled = new Map<string, boolean>();

/** Invalidates at once, and once more for all events within a short time, so that many events cause few requests. */
export function invalidateThrottled(queryClient: QueryClient, queryKey: readonly unknown[], waitMs = throttleMs): void {
	const key = JSON.stringify(queryKey);
	if (throttled.has(key)) {
		throttled.set(key, true);
		return;
	}
	throttled.set(key, false);
	void queryClient.invalidateQueries({ queryKey });
	setTimeout(() => {
		const isInvalidatedAgain = throttled.get(key);
		throttled.delete(key);
		if (isInvalidatedAgain) invalidateThrottled(queryClient, queryKey, Math.min(waitMs * 2, longestThrottleMs));
	}, waitMs);
}

/** Longest time in ms that a response may have been on its way. */
const inFlightMs = 5000;

/** Returns the age of the oldest data on the screen; no data is older than the document. */
function oldestDataAgeMs(queryClient: QueryClient): number {
	const updateTimes = queryClient
		.getQueryCache()
		.getAll()
		.map(({ state }) => state.dataUpdatedAt)
		.filter((at) => at > 0);
	const oldestMs = Date.now() - Math.min(Date.now(), ...updateTimes) + inFlightMs;
	return Math.ceil(Math.min(oldestMs, performance.now()));
}

/** Keeps the event stream open while a user is signed in. Mount once, below the guards. */
export function useServerEvents(): void {
	const queryClient = useQueryClient();
	const [count, setCount] = useState(0);
	// After a sign-in a new stream is opened, because the previous one ended with its session.
	useEffect(() => onReauthenticated(() => setCount((previous) => previous + 1)), []);
	// A page that was loaded offline shows stored data until it is refetched.
	useEffect(
		() => onReconnected(() => isControlledByServiceWorker() && void queryClient.invalidateQueries()),
		[queryClient],
	);
	useEffect(() => {
		void count;
		const close = openEventStream(
			(event) => handleEvent(queryClient, event),
			reportConnection,
			() => oldestDataAgeMs(queryClient),
		);
		return () => {
			close();
			// Signed out: there is no connection that could be lost.
			reportConnection(true);
		};
	}, [queryClient, count]);
}
