import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Hint } from '#contract/core/events.ts';
import { api } from './api.ts';
import { onLineBack, reportLine } from './connection.ts';
import { openEventLine } from './event-line.ts';
import { isWorkerHere } from './kept/kept-worker.ts';
import { sessionQuery } from './session.ts';
import { endSession } from './session-end.ts';
import { onSignedInAgain } from './sign-in-again.ts';

/** What a topic of the bus makes stale; null for everything. `alive` only keeps the line warm. */
function staleKeys(topic: Exclude<Hint['topic'], 'ended'>): readonly (readonly unknown[])[] | null {
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

const hearers = new Set<(hint: Hint) => void>();

/** Hears every hint as it comes, for what is more than a query to ask again. @returns how to stop */
export function onHint(hearer: (hint: Hint) => void): () => void {
	hearers.add(hearer);
	return () => hearers.delete(hearer);
}

/** Answers a hint: what is on the screen and may have changed is asked for again, through authorised calls. */
function heed(queryClient: QueryClient, hint: Hint): void {
	for (const hearer of hearers) hearer(hint);
	if (hint.topic === 'ended') {
		endSession(hint.reason);
		return;
	}
	const keys = staleKeys(hint.topic);
	if (keys === null) void queryClient.invalidateQueries();
	else for (const queryKey of keys) invalidateSoon(queryClient, queryKey);
}

const betweenMs = 700;
const waiting = new Map<string, boolean>();

/** At once, and then once more for all that comes within a moment: a thousand files make some lists, not a thousand. */
export function invalidateSoon(queryClient: QueryClient, queryKey: readonly unknown[]): void {
	const key = JSON.stringify(queryKey);
	if (waiting.has(key)) {
		waiting.set(key, true);
		return;
	}
	waiting.set(key, false);
	void queryClient.invalidateQueries({ queryKey });
	setTimeout(() => {
		const isAskedAgain = waiting.get(key);
		waiting.delete(key);
		if (isAskedAgain) invalidateSoon(queryClient, queryKey);
	}, betweenMs);
}

/** An answer may have been on its way for so long. */
const onWayMs = 5000;

/** How old the oldest may be of what the screens show; nothing is older than the document. */
function ageOf(queryClient: QueryClient): number {
	const answeredAt = queryClient
		.getQueryCache()
		.getAll()
		.map(({ state }) => state.dataUpdatedAt)
		.filter((at) => at > 0);
	const oldestMs = Date.now() - Math.min(Date.now(), ...answeredAt) + onWayMs;
	return Math.ceil(Math.min(oldestMs, performance.now()));
}

/** Keeps the event line open while a person is signed in. Mount once, below the guards. */
export function useEvents(): void {
	const queryClient = useQueryClient();
	const [count, setCount] = useState(0);
	// The line of the session before ended with it.
	useEffect(() => onSignedInAgain(() => setCount((before) => before + 1)), []);
	// What a page without a line was given came from the device.
	useEffect(() => onLineBack(() => isWorkerHere() && void queryClient.invalidateQueries()), [queryClient]);
	useEffect(() => {
		void count;
		const line = openEventLine(
			(hint) => heed(queryClient, hint),
			reportLine,
			() => ageOf(queryClient),
		);
		return () => {
			line.close();
			// Nobody is signed in any more: there is no line to miss.
			reportLine(true);
		};
	}, [queryClient, count]);
}
