import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReadingMark, type ReadingPlace, readingPlacePath } from '#contract/reader/reading.ts';
import { m } from '#messages';
import { api, type CallOutputs } from '#web/platform/api.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { toastError } from '#web/platform/toasts.ts';

type Reading = CallOutputs['reading']['get'];

/** Where one is in a document, and one's marks there; asked for anew by whoever opens it. */
export function useReading(document: string) {
	return useQuery({
		...api.reading.get.queryOptions({ input: { document } }),
		staleTime: 0,
		refetchOnMount: 'always',
	});
}

/** Keeps where one is; outlives the page that sends it. @returns whether it was kept */
export async function keepPlace(document: string, place: ReadingPlace): Promise<boolean> {
	const answer = await fetch(readingPlacePath(document), {
		method: 'PUT',
		keepalive: true,
		headers: { 'content-type': 'application/json', accept: 'application/json' },
		body: JSON.stringify(place),
	}).catch(() => null);
	// A body that nobody reads keeps its connection.
	await answer?.arrayBuffer().catch(() => null);
	return answer?.ok === true;
}

/** Adds, changes and deletes marks: on the page at once, and back again where the server would not have it. */
export function useMarks(document: string) {
	const queryClient = useQueryClient();
	const { queryKey } = api.reading.get.queryOptions({ input: { document } });
	const show = async (change: (marks: readonly ReadingMark[]) => ReadingMark[]) => {
		await queryClient.cancelQueries({ queryKey });
		const before = queryClient.getQueryData<Reading>(queryKey);
		if (before !== undefined) queryClient.setQueryData<Reading>(queryKey, { ...before, marks: change(before.marks) });
		return before;
	};
	const takeBack = (error: unknown, before: Reading | undefined) => {
		if (before !== undefined) queryClient.setQueryData(queryKey, before);
		toastError(describeFailure(error).message || m.reader_mark_failed());
	};
	const settle = () => void queryClient.invalidateQueries({ queryKey });

	const save = useMutation(
		api.reading.saveMark.mutationOptions({
			onMutate: ({ document: _, ...words }) => {
				const now = new Date().toISOString();
				return show((marks) => {
					const known = marks.find(({ id }) => id === words.id);
					const mark = { ...words, createdAt: known?.createdAt ?? now, updatedAt: now };
					return [...marks.filter(({ id }) => id !== words.id), mark];
				});
			},
			onError: (error, _mark, before) => takeBack(error, before),
			onSettled: settle,
		}),
	);
	const remove = useMutation(
		api.reading.removeMark.mutationOptions({
			onMutate: ({ id }) => show((marks) => marks.filter((mark) => mark.id !== id)),
			onError: (error, _mark, before) => takeBack(error, before),
			onSettled: settle,
		}),
	);
	return {
		save: ({
			createdAt: _,
			updatedAt: __,
			...mark
		}: Omit<ReadingMark, 'createdAt' | 'updatedAt'> & Partial<ReadingMark>) => save.mutate({ document, ...mark }),
		remove: (id: string) => remove.mutate({ document, id }),
	};
}
