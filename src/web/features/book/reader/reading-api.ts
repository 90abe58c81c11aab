import { useWindowEvent } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
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
import { annotationIdOf } from '../annotations/unsent-annotations.ts';

type Reading = CallOutputs['reading']['get'];

/**
 * The user's reading position in a document, and their annotations including pending changes. Refetched each time the
 * document opens, because the user may have read on another device. The reader uses `data.place` only when it opens a
 * document. A 404 means that the user may not read the document.
 */
export function useReading(document: string) {
	const query = useQuery({ ...api.reading.get.queryOptions({ input: { document } }), staleTime: 0, gcTime: 0 });
	const queued = annotationQueue.useChanges();
	const { data } = query;
	const pending = useMemo(() => queued.filter(({ change }) => change.document === document), [queued, document]);
	const shown = useMemo(() => data && { ...data, marks: applyChanges(data.marks, pending) }, [data, pending]);
	return { ...query, data: shown };
}

const withTimeout = () => ({ signal: AbortSignal.timeout(20_000) });

const annotationQueue = new AnnotationQueue({
	send: async (change) => {
		const { document } = change;
		if ('save' in change) return client.reading.saveMark({ document, ...change.save }, withTimeout());
		await client.reading.removeMark({ document, id: change.remove }, withTimeout());
		return null;
	},
	findUserId: async () => queueOwnerOf(await client.account.me({}, withTimeout())),
	runExclusively: (work) => ('locks' in navigator ? navigator.locks.request('folio-marks', work) : work()),
	isRejection: isFinalRejection,
	// Updates the cache at once. The event that notifies all open tabs arrives later.
	onSaved: (change, mark) => {
		const { queryKey } = api.reading.get.queryOptions({ input: { document: change.document } });
		queryClient.setQueryData(queryKey, (before: Reading | undefined) => {
			if (before === undefined) return before;
			const others = before.marks.filter(({ id }) => id !== annotationIdOf(change));
			return { ...before, marks: mark === null ? others : [...others, mark] };
		});
	},
	onRejected: (change, error) => {
		const failed = 'save' in change ? m.reading_annotation_not_saved() : m.reading_annotation_not_deleted();
		toastError(`${failed} ${describeFailure(error).message}`);
	},
	onDelayed: (error) => {
		endSessionOnAuthFailure(error);
		if (error instanceof UserChangedError) void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
	},
});
const flush = () => void annotationQueue.flush();

// After an expiry, the changes are kept for the same user. The queue checks the user before each request.
onSessionEnd((reason) => {
	if (reason !== 'expiry') annotationQueue.clear();
});
onReauthenticated(flush);
beforeSignOut(() => annotationQueue.flush());

/** Returns a separate owner for an impersonation, so that the admin does not send pending changes of the member. */
function queueOwnerOf({ id, view }: Pick<ReturnType<typeof useMe>, 'id' | 'view'>): string {
	return view === null ? id : `view-${id}`;
}

/** Sends pending changes when the server is reachable. Mount only once, for a signed-in user. */
export function useAnnotationQueue(): void {
	const owner = queueOwnerOf(useMe());
	useEffect(() => {
		annotationQueue.start(owner);
		return onReconnected(flush);
	}, [owner]);
	useWindowEvent('online', flush);
}

/** Shows the change immediately. If the server rejects the change, reverts it with a message. */
export function saveAnnotation(document: string, save: Omit<Annotation, 'createdAt' | 'updatedAt'>): void {
	annotationQueue.add({ document, save });
}

/** Hides the annotation immediately. If the server rejects the deletion, shows the annotation again with a message. */
export function deleteAnnotation(document: string, id: string): void {
	annotationQueue.add({ document, remove: id });
}
