import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { type ReadingMark, type ReadingPlace, readingPlacePath } from '#contract/reader/reading.ts';
import { m } from '#messages';
import { api, type CallOutputs, client } from '#web/platform/api.ts';
import { beforeSignOut } from '#web/platform/before-sign-out.ts';
import { onLineBack } from '#web/platform/connection.ts';
import { describeFailure, isRefusal } from '#web/platform/failure.ts';
import { noticeEndedSession, queryClient } from '#web/platform/query-client.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { sessionQuery, useMe } from '#web/platform/session.ts';
import { onSessionEnd } from '#web/platform/session-end.ts';
import { onSignedInAgain } from '#web/platform/sign-in-again.ts';
import { toastError } from '#web/platform/toasts.ts';
import { withChanges } from './mark-changes.ts';
import { MarkQueue, StrangerError } from './mark-queue.ts';
import { type CurrentPlace, PlaceKeeper } from './place-keeper.ts';

type Reading = CallOutputs['reading']['get'];

/**
 * Where the person is in a document, and their marks with what is still on its way. Asked for anew by whoever opens it, for
 * reading goes on on other devices too; `data.place` is where it opens, and no reason to jump later. A failure of 404: it may
 * not be read (any more).
 */
export function useReading(document: string) {
	const query = useQuery({ ...api.reading.get.queryOptions({ input: { document } }), staleTime: 0, gcTime: 0 });
	const queued = useSyncExternalStore(subscribeToQueue, listQueued);
	const { data } = query;
	const pending = useMemo(() => queued.filter(({ change }) => change.document === document), [queued, document]);
	const shown = useMemo(() => data && { ...data, marks: withChanges(data.marks, pending) }, [data, pending]);
	return { ...query, data: shown };
}

/** A line that takes longer is stalled. */
const sendWithinMs = 20_000;
const within = () => ({ signal: AbortSignal.timeout(sendWithinMs) });

/** One for the whole app: see {@link useMarkQueue}. */
const queue = new MarkQueue({
	// Looked up late: where storage is forbidden, looking at it throws.
	store: {
		get length() {
			return window.localStorage.length;
		},
		key: (index) => window.localStorage.key(index),
		getItem: (key) => window.localStorage.getItem(key),
		setItem: (key, value) => window.localStorage.setItem(key, value),
		removeItem: (key) => window.localStorage.removeItem(key),
	},
	send: async (change) => {
		const { document } = change;
		if ('save' in change) return client.reading.saveMark({ document, ...change.save }, within());
		await client.reading.removeMark({ document, id: change.remove }, within());
		return null;
	},
	findPerson: async () => personOf(await client.account.me({}, within())),
	alone: (work) => ('locks' in navigator ? navigator.locks.request('folio-marks', work) : work()),
	isRefusal,
	// Others' pages, and this one too, hear of it by a hint.
	onKept: (change, mark) => {
		const { queryKey } = api.reading.get.queryOptions({ input: { document: change.document } });
		queryClient.setQueryData(queryKey, (before: Reading | undefined) => {
			if (before === undefined) return before;
			const id = 'save' in change ? change.save.id : change.remove;
			const others = before.marks.filter((each) => each.id !== id);
			return { ...before, marks: mark === null ? others : [...others, mark] };
		});
	},
	onRefused: (change, error) => {
		const failed = 'save' in change ? m.reading_mark_unsaved() : m.reading_mark_unremoved();
		toastError(`${failed} ${describeFailure(error).message}`);
	},
	onDelayed: (error) => {
		noticeEndedSession(error);
		// Whoever else is here: this tab finds out.
		if (error instanceof StrangerError) void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
	},
});
const subscribeToQueue = (listener: () => void) => queue.subscribe(listener);
const listQueued = () => queue.list();

// An expired session may be gone on with by the same person: the next one is asked for before anything is sent.
onSessionEnd((reason) => {
	if (reason !== 'expiry') queue.clear();
});
onSignedInAgain(() => void queue.flush());
beforeSignOut(() => queue.flush());

/** The person, and whether they are looked on as: what they mark themselves is no admin's to send. */
function personOf({ id, view }: Pick<ReturnType<typeof useMe>, 'id' | 'view'>): string {
	return view === null ? id : `view-${id}`;
}

/** Sends what was marked and could not be sent, as soon as there is a line. Mount once, below the guards. */
export function useMarkQueue(): void {
	const person = personOf(useMe());
	useEffect(() => {
		queue.begin(person);
		const flush = () => void queue.flush();
		window.addEventListener('online', flush);
		const stopHearing = onLineBack(flush);
		return () => {
			stopHearing();
			window.removeEventListener('online', flush);
		};
	}, [person]);
}

/** Adds or changes a mark; it shows at once, without a line too, and is sent when there is one. It is as before again when the server refuses it, which a toast says. */
export function saveMark(document: string, save: Omit<ReadingMark, 'createdAt' | 'updatedAt'>): void {
	queue.add({ document, save });
}

/** Deletes a mark; it is gone at once, and back when the server refuses that, which a toast says. */
export function removeMark(document: string, id: string): void {
	queue.add({ document, remove: id });
}

/**
 * Keeps where the person is while the document is open, when the page is hidden and when it is left, and as soon as there is
 * a line again. Mount anew (`key`) for another document, once it is known where that opens.
 * @returns null where nothing is kept: for an admin who sees the product as a member does
 */
export function usePlaceKeeper(document: string, opened: CurrentPlace | null): PlaceKeeper | null {
	const isView = useMe().view !== null;
	const [keeper] = useState(
		() => new PlaceKeeper(opened, async (place) => (await savePlace(document, place)) !== null, serverNow),
	);
	useEffect(() => {
		if (isView) return;
		const flush = () => keeper.flush();
		const onHide = () => {
			if (window.document.visibilityState === 'hidden') flush();
		};
		window.document.addEventListener('visibilitychange', onHide);
		window.addEventListener('pagehide', flush);
		window.addEventListener('online', flush);
		const stopHearing = onLineBack(flush);
		return () => {
			stopHearing();
			window.document.removeEventListener('visibilitychange', onHide);
			window.removeEventListener('pagehide', flush);
			window.removeEventListener('online', flush);
			flush();
		};
	}, [keeper, isView]);
	return isView ? null : keeper;
}

/** Sends a place; outlives the page that sends it. @returns what is kept now, or null when that is not known */
export async function savePlace(document: string, place: ReadingPlace): Promise<ReadingPlace | null> {
	const answer = await fetch(readingPlacePath(document), {
		method: 'PUT',
		keepalive: true,
		headers: { 'content-type': 'application/json', accept: 'application/json' },
		body: JSON.stringify(place),
	}).catch(() => null);
	return answer?.ok ? answer.json().catch(() => null) : null;
}
