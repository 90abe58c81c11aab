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

/** For each topic, the calls whose data is stale; null for all calls. */
const staleCalls: Record<Exclude<ServerEvent['topic'], 'ended'>, StaleCalls | null> = {
	nodes: [api.files, api.spaces, api.sharing, api.course, api.chatPerson, api.firstSteps],
	shares: [api.sharing, api.course, api.files.get],
	dashboard: [api.dashboardSettings],
	'contact-info': [api.contactInfo],
	orders: [api.orders, api.people, api.chatPerson, api.bookGrants, api.testPurchase],
	// Book access also decides what a user can read through the group of its owners.
	'book-access': [
		api.reader,
		api.outlinePairs,
		api.reading,
		api.people,
		api.bookGrants,
		api.chatPerson,
		api.sharing,
		api.course,
	],
	reading: [api.reading],
	'book-settings': [api.bookSettings, api.reader, api.outlinePairs, api.chatPerson, api.cannedReplies, api.firstSteps],
	'storefront-draft': [api.storefrontContent],
	groups: [api.groups],
	users: [api.people, api.groups, api.chatPerson, session],
	'saved-filters': [api.savedFilters],
	logins: [api.history, api.people, api.chatPerson],
	audit: [api.audit],
	visits: [api.visits],
	removals: [api.removals],
	sessions: [api.sessions],
	outbox: [api.mail, api.firstSteps, api.testPurchase],
	'first-steps': [api.firstSteps],
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

/** Notifies the listeners, and invalidates the queries whose data may have changed. Visible queries are refetched. */
function handleEvent(queryClient: QueryClient, event: ServerEvent): void {
	serverEvents.emit(event);
	if (event.topic === 'ended') {
		endSession(event.reason);
		return;
	}
	const calls: StaleCalls | null | undefined = staleCalls[event.topic];
	// A newer server may send topics that this version does not know.
	if (calls === undefined) return;
	if (calls === null) void queryClient.invalidateQueries();
	else for (const call of calls) invalidateThrottled(queryClient, call.key());
}

/** While events continue, the time between two refetches doubles from `throttleMs` to `longestThrottleMs`. */
const throttleMs = 700;
const longestThrottleMs = 2800;
const throttled = new Map<string, boolean>();

/** Invalidates at once. All events within the next `waitMs` together cause only one more invalidation. */
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

/** Assumed maximum time in ms that a response takes to arrive. */
const inFlightMs = 5000;

/** Returns the age of the oldest cached data, at most the time since the page was opened. */
function oldestDataAgeMs(queryClient: QueryClient): number {
	const updateTimes = queryClient
		.getQueryCache()
		.getAll()
		.map(({ state }) => state.dataUpdatedAt)
		.filter((at) => at > 0);
	const oldestMs = Date.now() - Math.min(Date.now(), ...updateTimes) + inFlightMs;
	return Math.ceil(Math.min(oldestMs, performance.now()));
}

/** Mount only once, in a component that renders only for signed-in users. */
export function useServerEvents(): void {
	const queryClient = useQueryClient();
	const [count, setCount] = useState(0);
	// The stream ended with the previous session, so a new stream is opened after a sign-in.
	useEffect(() => onReauthenticated(() => setCount((previous) => previous + 1)), []);
	// A page that was loaded offline shows old data, which is refetched when the server is reachable again.
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
			// Hides the banner about a lost connection after signing out.
			reportConnection(true);
		};
	}, [queryClient, count]);
}
