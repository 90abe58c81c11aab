import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { type Annotation, type ReadingPosition, readingPositionPath } from '#contract/book/reading.ts';
import { m } from '#messages';
import { api, type CallOutputs, client } from '#web/platform/api/client.ts';
import { describeFailure, isFinalRejection } from '#web/platform/api/failure.ts';
import { endSessionOnAuthFailure, queryClient } from '#web/platform/api/query-client.ts';
import { serverNow } from '#web/platform/api/server-clock.ts';
import { toastError } from '#web/platform/browser/toasts.ts';
import { onReconnected } from '#web/platform/events/connection-status.ts';
import { onReauthenticated } from '#web/platform/session/reauthentication.ts';
import { sessionQuery, useMe } from '#web/platform/session/session.ts';
import { beforeSignOut, onSessionEnd } from '#web/platform/session/session-end.ts';
import { AnnotationQueue, UserChangedError } from '../annotations/annotation-queue.ts';
import { applyChanges } from '../annotations/annotations.ts';
import { type CurrentPosition, PositionSync } from '../reading-position/position-sync.ts';

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
	const shown = useMemo(() => data && { ...data, marks: applyChanges(data.marks, pending) }, [data, pending]);
	return { ...query, data: shown };
}

/** A line that takes longer is stalled. */
const sendTimeoutMs = 20_000;
const withTimeout = () => ({ signal: AbortSignal.timeout(sendTimeoutMs) });

/** One for the whole app: see {@link useAnnotationQueue}. */
const annotationQueue = new AnnotationQueue({
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
		if ('save' in change) return client.reading.saveMark({ document, ...change.save }, withTimeout());
		await client.reading.removeMark({ document, id: change.remove }, withTimeout());
		return null;
	},
	findUserId: async () => queueOwnerOf(await client.account.me({}, withTimeout())),
	runExclusively: (work) => ('locks' in navigator ? navigator.locks.request('folio-marks', work) : work()),
	isRejection: isFinalRejection,
	// Others' pages, and this one too, hear of it by a hint.
	onSaved: (change, mark) => {
		const { queryKey } = api.reading.get.queryOptions({ input: { document: change.document } });
		queryClient.setQueryData(queryKey, (before: Reading | undefined) => {
			if (before === undefined) return before;
			const id = 'save' in change ? change.save.id : change.remove;
			const others = before.marks.filter((each) => each.id !== id);
			return { ...before, marks: mark === null ? others : [...others, mark] };
		});
	},
	onRejected: (change, error) => {
		const failed = 'save' in change ? m.reading_annotation_not_saved() : m.reading_annotation_not_deleted();
		toastError(`${failed} ${describeFailure(error).message}`);
	},
	onDelayed: (error) => {
		endSessionOnAuthFailure(error);
		// Whoever else is here: this tab finds out.
		if (error instanceof UserChangedError) void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
	},
});
const subscribeToQueue = (listener: () => void) => annotationQueue.subscribe(listener);
const listQueued = () => annotationQueue.list();

// An expired session may be gone on with by the same person: the next one is asked for before anything is sent.
onSessionEnd((reason) => {
	if (reason !== 'expiry') annotationQueue.clear();
});
onReauthenticated(() => void annotationQueue.flush());
beforeSignOut(() => annotationQueue.flush());

/** The person, and whether they are looked on as: what they mark themselves is no admin's to send. */
function queueOwnerOf({ id, view }: Pick<ReturnType<typeof useMe>, 'id' | 'view'>): string {
	return view === null ? id : `view-${id}`;
}

/** Sends what was marked and could not be sent, as soon as there is a line. Mount once, below the guards. */
export function useAnnotationQueue(): void {
	const owner = queueOwnerOf(useMe());
	useEffect(() => {
		annotationQueue.start(owner);
		const flush = () => void annotationQueue.flush();
		window.addEventListener('online', flush);
		const unsubscribe = onReconnected(flush);
		return () => {
			unsubscribe();
			window.removeEventListener('online', flush);
		};
	}, [owner]);
}

/** Adds or changes a mark; it shows at once, without a line too, and is sent when there is one. It is as before again when the server refuses it, which a toast says. */
export function saveAnnotation(document: string, save: Omit<Annotation, 'createdAt' | 'updatedAt'>): void {
	annotationQueue.add({ document, save });
}

/** Deletes a mark; it is gone at once, and back when the server refuses that, which a toast says. */
export function deleteAnnotation(document: string, id: string): void {
	annotationQueue.add({ document, remove: id });
}

/**
 * Keeps where the person is while the document is open, when the page is hidden and when it is left, and as soon as there is
 * a line again. Mount anew (`key`) for another document, once it is known where that opens.
 * @returns null where nothing is kept: for an admin who sees the product as a member does
 */
export function usePositionSync(document: string, opened: CurrentPosition | null): PositionSync | null {
	const isImpersonating = useMe().view !== null;
	const [sync] = useState(
		() => new PositionSync(opened, async (position) => (await savePosition(document, position)) !== null, serverNow),
	);
	useEffect(() => {
		if (isImpersonating) return;
		const flush = () => sync.flush();
		const onHide = () => {
			if (window.document.visibilityState === 'hidden') flush();
		};
		window.document.addEventListener('visibilitychange', onHide);
		window.addEventListener('pagehide', flush);
		window.addEventListener('online', flush);
		const unsubscribe = onReconnected(flush);
		return () => {
			unsubscribe();
			window.document.removeEventListener('visibilitychange', onHide);
			window.removeEventListener('pagehide', flush);
			window.removeEventListener('online', flush);
			flush();
		};
	}, [sync, isImpersonating]);
	return isImpersonating ? null : sync;
}

/** Sends a place; outlives the page that sends it. @returns what is kept now, or null when that is not known */
export async function savePosition(document: string, position: ReadingPosition): Promise<ReadingPosition | null> {
	const response = await fetch(readingPositionPath(document), {
		method: 'PUT',
		keepalive: true,
		headers: { 'content-type': 'application/json', accept: 'application/json' },
		body: JSON.stringify(position),
	}).catch(() => null);
	return response?.ok ? response.json().catch(() => null) : null;
}
