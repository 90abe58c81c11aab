import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { limits } from '#contract/core/limits.ts';
import type { TrashedNode } from '#contract/files/files.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { toastError, toastMs, toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { useInvalidateFiles } from '../api.ts';

/** Number of items per page. */
export const trashPageSize = 50;

/**
 * A page of a space's trash, or of a search in it, newest first; the previous page stays visible while the next is
 * loading.
 */
export function useTrash(owner: string, q: string, cursor?: string) {
	const input = { owner, ...searchOf(q), cursor, limit: trashPageSize };
	return useQuery(api.files.listTrash.queryOptions({ input, placeholderData: keepPreviousData }));
}

/** Loads all items of the trash, including pages not shown yet. */
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

/** Restores items; a message gives the restored name, or their number. */
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

/** Purges items. */
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

/** Calls `call` in batches of the size that one call allows, and joins the results. */
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

/** Shows errors of items that another admin has restored or purged first. */
function toastRefused(refused: ReadonlyArray<{ name: string; message: string }>): void {
	for (const { name, message } of refused.slice(0, 3)) {
		toastError(name === '' ? message : `${name}: ${message}`, toastMs.files);
	}
}

/** Purges all items of a trash. */
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

/** The action that the trash asks to confirm. */
export type TrashQuestion = { kind: 'purge'; nodes: readonly TrashedNode[] } | { kind: 'empty'; total: number };
