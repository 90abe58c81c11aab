import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { TrashedNode } from '#contract/files/files.ts';
import { m } from '#messages';
import { api } from '#web/platform/api.ts';
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

/** Brings something back, and says under which name. */
export function useRestore() {
	const onSettled = useFilesChanged();
	return useMutation(
		api.files.restore.mutationOptions({
			onSuccess: ({ name }) => toastSuccess(m.files_restored_to({ name }), toastMs.filesSuccess),
			onError,
			onSettled,
		}),
	);
}

/** Deletes one thing for good. */
export function usePurge() {
	const onSettled = useFilesChanged();
	return useMutation(
		api.files.purge.mutationOptions({
			onSuccess: () => toastSuccess(m.files_purged(), toastMs.filesSuccess),
			onError,
			onSettled,
		}),
	);
}

/** Deletes everything in a trash for good. */
export function useEmptyTrash() {
	const onSettled = useFilesChanged();
	return useMutation(
		api.files.emptyTrash.mutationOptions({
			onSuccess: ({ count }) =>
				toastSuccess(
					count === 1 ? m.files_purged() : m.files_emptied({ count: formatCount(count) }),
					toastMs.filesSuccess,
				),
			onError,
			onSettled,
		}),
	);
}

/** What the trash asks before it is done. */
export type TrashQuestion = { kind: 'purge'; node: TrashedNode } | { kind: 'empty'; total: number };
