import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { limits } from '#contract/core/limits.ts';
import type { TrashedNode } from '#contract/files/files.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { toastError, toastMs, toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { useInvalidateFiles } from '../api.ts';

/** One screenful of the trash. */
export const trashPageSize = 50;

/** A page of a space's trash, or of what a search finds there, newest first; the one before stays in view while the next is fetched. */
export function useTrash(owner: string, q: string, cursor?: string) {
	const input = { owner, ...searchOf(q), cursor, limit: trashPageSize };
	return useQuery(api.files.listTrash.queryOptions({ input, placeholderData: keepPreviousData }));
}

/** All of it, the pages too that have not been shown. */
export async function fetchWholeTrash(owner: string, q: string): Promise<TrashedNode[]> {
	const items: TrashedNode[] = [];
	for (let cursor: string | undefined; ; ) {
		const page = await client.files.listTrash({ owner, ...searchOf(q), cursor, limit: limits.pageSizeMax });
		items.push(...page.items);
		if (page.nextCursor === null) return items;
		cursor = page.nextCursor;
	}
}

function searchOf(q: string): { search: string | undefined } {
	return { search: q.trim() === '' ? undefined : q.trim() };
}

const onError = (error: Error) => void toastError(describeFailure(error).message, toastMs.files);

/** Brings something back, one or many, and says under which name or how many. */
export function useRestore() {
	const onSettled = useInvalidateFiles();
	return useMutation({
		mutationFn: async (nodes: readonly TrashedNode[]) => {
			const [only] = nodes;
			if (only !== undefined && nodes.length === 1) {
				const { name } = await client.files.restore({ id: only.id });
				toastSuccess(m.files_restored_to({ name }), toastMs.filesSuccess);
				return;
			}
			const { done, refused } = await inBatches(nodes, client.files.restoreMany);
			if (done.length > 0) toastSuccess(m.files_restored({ count: formatCount(done.length) }), toastMs.filesSuccess);
			toastRefused(refused);
		},
		onError,
		onSettled,
	});
}

/** Deletes one thing or many for good. */
export function usePurge() {
	const onSettled = useInvalidateFiles();
	return useMutation({
		mutationFn: async (nodes: readonly TrashedNode[]) => {
			const { done, refused } = await inBatches(nodes, client.files.purgeMany);
			if (done.length > 0) toastPurged(done.length);
			toastRefused(refused);
		},
		onError,
		onSettled,
	});
}

function toastPurged(count: number): void {
	const message = count === 1 ? m.files_purged() : m.files_emptied({ count: formatCount(count) });
	toastSuccess(message, toastMs.filesSuccess);
}

type BatchResult = Awaited<ReturnType<typeof client.files.purgeMany>>;

/** In calls of as many as one may carry. */
async function inBatches(
	nodes: readonly TrashedNode[],
	call: (input: { ids: string[] }) => Promise<BatchResult>,
): Promise<BatchResult> {
	const all: BatchResult = { done: [], refused: [] };
	for (let from = 0; from < nodes.length; from += limits.nodesPerCallMax) {
		const ids = nodes.slice(from, from + limits.nodesPerCallMax).map(({ id }) => id);
		const { done, refused } = await call({ ids });
		all.done.push(...done);
		all.refused.push(...refused);
	}
	return all;
}

/** What somebody else was quicker with. */
function toastRefused(refused: ReadonlyArray<{ name: string; message: string }>): void {
	for (const { name, message } of refused.slice(0, 3)) {
		toastError(name === '' ? message : `${name}: ${message}`, toastMs.files);
	}
}

/** Deletes everything in a trash for good. */
export function useEmptyTrash() {
	const onSettled = useInvalidateFiles();
	return useMutation(
		api.files.emptyTrash.mutationOptions({
			onSuccess: ({ count }) => toastPurged(count),
			onError,
			onSettled,
		}),
	);
}

/** What the trash asks before it is done. */
export type TrashQuestion = { kind: 'purge'; nodes: readonly TrashedNode[] } | { kind: 'empty'; total: number };
