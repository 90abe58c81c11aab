import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type ReadingMark, type ReadingPlace, readingPlacePath } from '#contract/reader/reading.ts';
import { m } from '#messages';
import { api, type CallOutputs, client } from '#web/platform/api.ts';
import { onLineBack } from '#web/platform/connection.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { useMe } from '#web/platform/session.ts';
import { toastError } from '#web/platform/toasts.ts';
import { type MarkChange, withChanges } from './mark-changes.ts';
import { type CurrentPlace, PlaceKeeper } from './place-keeper.ts';
import { forgetUnsent, keepUnsent, listUnsent } from './unsent-marks.ts';

type Reading = CallOutputs['reading']['get'];

const markChangeKey = ['reading-mark'];

/**
 * Where the person is in a document, and their marks with what is still on its way. Asked for anew by whoever opens it, for
 * reading goes on on other devices too; `data.place` is where it opens, and no reason to jump later. A failure of 404: it may
 * not be read (any more).
 */
export function useReading(document: string) {
	const query = useQuery({ ...api.reading.get.queryOptions({ input: { document } }), staleTime: 0, gcTime: 0 });
	const pending = useMutationState({
		filters: { mutationKey: [...markChangeKey, document], status: 'pending' },
		select: ({ state }) => ({
			change: state.variables as MarkChange,
			at: new Date(state.submittedAt).toISOString(),
		}),
	});
	useUnsentMarks(document);
	const { data } = query;
	const shown = useMemo(() => data && { ...data, marks: withChanges(data.marks, pending) }, [data, pending]);
	return { ...query, data: shown };
}

/** Sends what was marked before this page was opened, and could not be sent. */
function useUnsentMarks(document: string): void {
	const me = useMe();
	const queryClient = useQueryClient();
	const { mutate } = useMarkChange(document, () => m.reading_mark_unsaved());
	useEffect(() => {
		const filters = { mutationKey: [...markChangeKey, document], status: 'pending' } as const;
		if (me.view !== null || queryClient.getMutationCache().find(filters) !== undefined) return;
		for (const change of listUnsent(window.localStorage, me.id, document)) mutate(change);
	}, [document, me, mutate, queryClient]);
}

/** Between two tries without a line, in milliseconds. */
const triesAfterMs = [1000, 3000, 8000];
const triesEveryMs = 15_000;

/** Adds or changes a mark; it shows at once, without a line too, and is sent when there is one. It is as before again when it could not be kept, which a toast says. */
export function useSaveMark(document: string) {
	const change = useMarkChange(document, () => m.reading_mark_unsaved());
	return {
		...change,
		mutate: (save: Omit<ReadingMark, 'createdAt' | 'updatedAt'>) => change.mutate({ document, save }),
	};
}

/** Deletes a mark; it is gone at once, and back when that failed, which a toast says. */
export function useRemoveMark(document: string) {
	const change = useMarkChange(document, () => m.reading_mark_unremoved());
	return { ...change, mutate: (id: string) => change.mutate({ document, remove: id }) };
}

function useMarkChange(document: string, failed: () => string) {
	const me = useMe();
	const queryClient = useQueryClient();
	return useMutation({
		mutationKey: [...markChangeKey, document],
		// One after the other: what is changed and deleted at once stays deleted.
		scope: { id: [...markChangeKey, document].join() },
		// Whoever reads without a line marks without one.
		retry: (_count, error) => describeFailure(error).status === 0,
		retryDelay: (count) => triesAfterMs[count] ?? triesEveryMs,
		onMutate: (change) => keepUnsent(window.localStorage, me.id, change),
		onSettled: (_kept, _error, change) => forgetUnsent(window.localStorage, me.id, change),
		mutationFn: async (change: MarkChange): Promise<ReadingMark | null> => {
			if ('save' in change) return client.reading.saveMark({ document, ...change.save });
			await client.reading.removeMark({ document, id: change.remove });
			return null;
		},
		// Before it is over, so that nothing is missing in between; others' pages, and this one too, hear of it by a hint.
		onSuccess: (kept, change) => {
			queryClient.setQueryData(api.reading.get.queryKey({ input: { document } }), (before: Reading | undefined) => {
				if (before === undefined) return before;
				const id = 'save' in change ? change.save.id : change.remove;
				const others = before.marks.filter((mark) => mark.id !== id);
				return { ...before, marks: kept === null ? others : [...others, kept] };
			});
		},
		onError: (error) => toastError(`${failed()} ${describeFailure(error).message}`),
	});
}

/**
 * Keeps where the person is while the document is open, when the page is hidden and when it is left, and as soon as there is
 * a line again. Mount anew (`key`) for another document, once it is known where that opens.
 * @returns null where nothing is kept: for an admin who sees the product as a member does
 */
export function usePlaceKeeper(document: string, opened: CurrentPlace | null): PlaceKeeper | null {
	const isView = useMe().view !== null;
	const [keeper] = useState(
		() => new PlaceKeeper(opened, async (place) => (await savePlace(document, place)) !== null),
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
