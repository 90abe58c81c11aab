import { useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import type { BulkResult, TrashedNode } from '#contract/files/files.ts';
import { m } from '#messages';
import { api, callInBatches, client } from '#web/platform/api/client.ts';
import type { Failure } from '#web/platform/api/failure.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastError, toastMs, toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatCount } from '#web/platform/formats/format.ts';

export const trashPageSize = 50;

export function trashPageOptions(owner: string, q: string, cursor?: string) {
	const input = { owner, search: q.trim() || undefined, cursor, limit: trashPageSize };
	return api.files.listTrash.queryOptions({ input });
}

async function fetchWholeTrash(owner: string, q: string, cursor?: string): Promise<TrashedNode[]> {
	const input = { owner, search: q.trim() || undefined, cursor, limit: limits.pageSizeMax };
	const { items, nextCursor } = await client.files.listTrash(input);
	return nextCursor === null ? items : [...items, ...(await fetchWholeTrash(owner, q, nextCursor))];
}

export function useTrashSelection(owner: string, q: string) {
	const [chosen, setChosen] = useState<ReadonlyMap<string, TrashedNode>>(new Map());
	const [isLoadingAll, setLoadingAll] = useState(false);
	const add = (nodes: readonly TrashedNode[]) =>
		setChosen((previous) => new Map([...previous, ...nodes.map((node) => [node.id, node] as const)]));
	return {
		chosen,
		isLoadingAll,
		add,
		drop: (nodes: readonly TrashedNode[]) => {
			const ids = new Set(nodes.map(({ id }) => id));
			setChosen((previous) => new Map([...previous].filter(([id]) => !ids.has(id))));
		},
		clear: () => setChosen(new Map()),
		/** Selects all items of all pages, or only `shown` if the other pages cannot be loaded. */
		all: async (shown: readonly TrashedNode[], total: number) => {
			if (shown.length === total) return add(shown);
			setLoadingAll(true);
			add(await fetchWholeTrash(owner, q).catch(() => shown));
			setLoadingAll(false);
		},
	};
}

export function useTrashActions() {
	const options = {
		refetch: [api.files.key()],
		onError: ({ message }: Failure) => void toastError(message, toastMs.files),
	};
	const restore = useChange(async (nodes: readonly TrashedNode[]) => {
		const [only] = nodes;
		if (only === undefined || nodes.length > 1)
			return toastResults(await callInBatches(nodes, (ids) => client.files.restoreMany({ ids })), (count) =>
				m.files_restored({ count: formatCount(count) }),
			);
		const { name } = await client.files.restore({ id: only.id });
		toastSuccess(m.files_restored_to({ name }), toastMs.filesSuccess);
	}, options);
	const purge = useChange(
		async (nodes: readonly TrashedNode[]) =>
			toastResults(await callInBatches(nodes, (ids) => client.files.purgeMany({ ids })), purgedText),
		options,
	);
	const empty = useChange(client.files.emptyTrash, {
		...options,
		onSuccess: ({ count }) => void toastSuccess(purgedText(count), toastMs.filesSuccess),
	});
	return { restore, purge, empty };
}

function purgedText(count: number): string {
	return count === 1 ? m.files_purged() : m.files_emptied({ count: formatCount(count) });
}

/** Shows the number of processed items, and the errors of up to three refused items. */
function toastResults(results: readonly BulkResult[], doneText: (count: number) => string): void {
	const count = results.reduce((sum, { done }) => sum + done.length, 0);
	if (count > 0) toastSuccess(doneText(count), toastMs.filesSuccess);
	for (const { name, message } of results.flatMap(({ refused }) => refused).slice(0, 3))
		toastError(name === '' ? message : `${name}: ${message}`, toastMs.files);
}
