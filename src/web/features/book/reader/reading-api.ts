import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { Annotation } from '#contract/book/reading.ts';
import { m } from '#messages';
import { api, type CallOutputs, client } from '#web/platform/api/client.ts';
import { describeFailure, isFinalRejection } from '#web/platform/api/failure.ts';
import { endSessionOnAuthFailure, queryClient } from '#web/platform/api/query-client.ts';
import { toastError } from '#web/platform/browser/toasts.ts';
import { onReconnected } from '#web/platform/events/connection-status.ts';
import { onReauthenticated } from '#web/platform/session/reauthentication.ts';
import { sessionQuery, useMe } from '#web/platform/session/session.ts';
import { beforeSignOut, onSessionEnd } from '#web/platform/session/session-end.ts';
import { AnnotationQueue, UserChangedError } from '../annotations/annotation-queue.ts';
import { applyChanges } from '../annotations/annotations.ts';

type Reading = CallOutputs['reading']['get'];

/**
 * The user's position in a document, and their annotations including pending changes. Refetched each time the document
 * is opened, because reading continues on other devices; `data.place` is where the document opens, and does not cause a
 * jump later. A 404 means that the user may not read it (any more).
 */
export function useReading(document: string) {
	const query = useQuery({ ...api.reading.get.queryOptions({ input: { document } }), staleTime: 0, gcTime: 0 });
	const queued = useSyncExternalStore(subscribeToQueue, listQueued);
	const { data } = query;
	const pending = useMemo(() => queued.filter(({ change }) => change.document === document), [queued, document]);
	const shown = useMemo(() => data && { ...data, marks: applyChanges(data.marks, pending) }, [data, pending]);
	return { ...query, data: shown };
}

/** Requests that take longer count as failed. */
const sendTimeoutMs = 20_000;
const withTimeout = () => ({ signal: AbortSignal.timeout(sendTimeoutMs) });

/** The queue of the whole app; see {@link useAnnotationQueue}. */
const annotationQueue = new AnnotationQueue({
	// Accessed lazily, because reading `window.localStorage` throws where storage is forbidden.
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
	// Other pages, and this one too, are notified by an event.
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
		// Another user has signed in: refetch the session.
		if (error instanceof UserChangedError) void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
	},
});
const subscribeToQueue = (listener: () => void) => annotationQueue.subscribe(listener);
const listQueued = () => annotationQueue.list();

// After an expired session the same user may continue; the queue checks the next session's user before it sends.
onSessionEnd((reason) => {
	if (reason !== 'expiry') annotationQueue.clear();
});
onReauthenticated(() => void annotationQueue.flush());
beforeSignOut(() => annotationQueue.flush());

/** While an admin views as a member, another owner keeps the admin from sending the member's changes. */
function queueOwnerOf({ id, view }: Pick<ReturnType<typeof useMe>, 'id' | 'view'>): string {
	return view === null ? id : `view-${id}`;
}

/** Sends pending changes as soon as there is a connection. Mount once, below the guards. */
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

/** Adds or changes an annotation. It shows at once; if the server rejects it, it is reverted with a message. */
export function saveAnnotation(document: string, save: Omit<Annotation, 'createdAt' | 'updatedAt'>): void {
	annotationQueue.add({ document, save });
}

/** Deletes an annotation. It disappears at once; if the server rejects that, it returns with a message. */
export function deleteAnnotation(document: string, id: string): void {
	annotationQueue.add({ document, remove: id });
}
