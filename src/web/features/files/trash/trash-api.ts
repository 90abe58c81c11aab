import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import type { TrashedNode } from '#contract/files/files.ts';
import { m } from '#messages';
import { api, callInBatches, client } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { toastError, toastMs, toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { useInvalidateFiles } from '../api.ts';

/** Number of items per page. */
export const trashPageSize = 50;

/** A page of a space's trash, newest first; the previous page stays visible while the next is loading. */
export function useTrash(owner: string, q: string, cursor?: string) {
	const input = { owner, search: q.trim() || undefined, cursor, limit: trashPageSize };
	return useQuery(api.files.listTrash.queryOptions({ input, placeholderData: keepPreviousData }));
}

/** Loads all items of the trash, including pages not shown yet. */
async function fetchWholeTrash(owner: string, q: string): Promise<TrashedNode[]> {
	const items: TrashedNode[] = [];
	const input = { owner, search: q.trim() || undefined, limit: limits.pageSizeMax };
	for (let cursor: string | undefined; ; ) {
		const page = await client.files.listTrash({ ...input, cursor });
		items.push(...page.items);
		if (page.nextCursor === null) return items;
		cursor = page.nextCursor;
	}
}

/** The selected items of a trash, on all pages. */
export function useTrashSelection(owner: string, q: string) {
	const [chosen, setChosen] = useState<ReadonlyMap<string, TrashedNode>>(new Map());
	const [isLoadingAll, setLoadingAll] = useState(false);
	const add = (nodes: readonly TrashedNode[]) =>
		setChosen((before) => new Map([...before, ...nodes.map((node) => [node.id, node] as const)]));
	return {
		chosen,
		isLoadingAll,
		add,
		drop: (nodes: readonly TrashedNode[]) => {
			const ids = new Set(nodes.map(({ id }) => id));
			setChosen((before) => new Map([...before].filter(([id]) => !ids.has(id))));
		},
		clear: () => setChosen(new Map()),
		/** Selects all items, including pages not shown yet; only `shown` if the rest cannot be loaded. */
		all: async (shown: readonly TrashedNode[], total: number) => {
			if (shown.length === total) return add(shown);
			setLoadingAll(true);
			add(await fetchWholeTrash(owner, q).catch(() => shown));
			setLoadingAll(false);
		},
	};
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
			const results = await callInBatches(nodes, (ids) => client.files.restoreMany({ ids }));
			toastResults(results, (count) => m.files_restored({ count: formatCount(count) }));
		},
		onError,
		onSettled,
	});
}

/** Purges items. */
export function usePurge() {
	const onSettled = useInvalidateFiles();
	return useMutation({
		mutationFn: async (nodes: readonly TrashedNode[]) =>
			toastResults(await callInBatches(nodes, (ids) => client.files.purgeMany({ ids })), purgedText),
		onError,
		onSettled,
	});
}

function purgedText(count: number): string {
	return count === 1 ? m.files_purged() : m.files_emptied({ count: formatCount(count) });
}

type BatchResult = Awaited<ReturnType<typeof client.files.purgeMany>>;

/** Shows the number of items done, and the errors of items that another admin has restored or purged first. */
function toastResults(results: readonly BatchResult[], doneText: (count: number) => string): void {
	const count = results.reduce((sum, { done }) => sum + done.length, 0);
	if (count > 0) toastSuccess(doneText(count), toastMs.filesSuccess);
	for (const { name, message } of results.flatMap(({ refused }) => refused).slice(0, 3))
		toastError(name === '' ? message : `${name}: ${message}`, toastMs.files);
}

/** Purges all items of a trash. */
export function useEmptyTrash() {
	const onSettled = useInvalidateFiles();
	const onSuccess = ({ count }: { count: number }) => void toastSuccess(purgedText(count), toastMs.filesSuccess);
	return useMutation(api.files.emptyTrash.mutationOptions({ onSuccess, onError, onSettled }));
}
