import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { TrashedNode } from '#contract/files/files.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { formatCount } from '#web/platform/format.ts';
import { toastError, toastMs, toastSuccess } from '#web/platform/toasts.ts';
import { useFilesChanged } from './files.api.ts';

/** One screenful of the trash. */
export const trashPageSize = 50;

/** A page of a space's trash, newest first; the one before stays in view while the next is fetched. */
export function useTrash(owner: string, cursor: string | undefined) {
	const input = { owner, cursor, limit: trashPageSize };
	return useQuery(api.files.listTrash.queryOptions({ input, placeholderData: keepPreviousData }));
}

const onError = (error: Error) => void toastError(describeFailure(error).message, toastMs.files);

/** Brings something back, one or many, and says under which name or how many. */
export function useRestore() {
	const onSettled = useFilesChanged();
	return useMutation({
		mutationFn: async (ids: readonly string[]) => {
			const [only] = ids;
			if (only !== undefined && ids.length === 1) {
				const { name } = await client.files.restore({ id: only });
				toastSuccess(m.files_restored_to({ name }), toastMs.filesSuccess);
				return;
			}
			const { done, refused } = await client.files.restoreMany({ ids: [...ids] });
			if (done.length > 0) toastSuccess(m.files_restored({ count: formatCount(done.length) }), toastMs.filesSuccess);
			tellRefused(refused);
		},
		onError,
		onSettled,
	});
}

/** Deletes one thing or many for good. */
export function usePurge() {
	const onSettled = useFilesChanged();
	return useMutation({
		mutationFn: async (ids: readonly string[]) => {
			const { done, refused } = await client.files.purgeMany({ ids: [...ids] });
			if (done.length > 0) tellPurged(done.length);
			tellRefused(refused);
		},
		onError,
		onSettled,
	});
}

function tellPurged(count: number): void {
	const words = count === 1 ? m.files_purged() : m.files_emptied({ count: formatCount(count) });
	toastSuccess(words, toastMs.filesSuccess);
}

/** What somebody else was quicker with. */
function tellRefused(refused: ReadonlyArray<{ name: string; message: string }>): void {
	for (const { name, message } of refused.slice(0, 3)) {
		toastError(name === '' ? message : `${name}: ${message}`, toastMs.files);
	}
}

/** Deletes everything in a trash for good. */
export function useEmptyTrash() {
	const onSettled = useFilesChanged();
	return useMutation(
		api.files.emptyTrash.mutationOptions({
			onSuccess: ({ count }) => tellPurged(count),
			onError,
			onSettled,
		}),
	);
}

/** What the trash asks before it is done. */
export type TrashQuestion = { kind: 'purge'; nodes: readonly TrashedNode[] } | { kind: 'empty'; total: number };
