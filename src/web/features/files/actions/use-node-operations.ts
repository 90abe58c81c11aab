import { useState } from 'react';
import type { BulkResult, Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { api, callInBatches, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastError, toastMs, toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { toastWithUndo } from '#web/ui/overlays/toasts-with-button.tsx';

export interface RefusedNodes {
	title: string;
	list: BulkResult['refused'];
}

/** Moves, copies and deletes nodes. Each operation resolves to the ids of the nodes for which it succeeded. */
export function useNodeOperations() {
	const [refusedNodes, setRefusedNodes] = useState<RefusedNodes | null>(null);

	const { mutateAsync, isPending: isBusy } = useChange((operation: () => Promise<string[]>) => operation(), {
		refetch: [api.files.key()],
		onError: ({ message }) => toastError(message, toastMs.files),
	});
	const runBusy = (operation: () => Promise<string[]>) => mutateAsync(operation).catch((): string[] => []);

	/** Runs `call` in batches, and shows the refused nodes. `results`: one per batch. `done`: the successful nodes. */
	async function inBatches<Result extends BulkResult>(
		nodes: Node[],
		refusedTitle: (count: { count: string }) => string,
		call: (ids: string[]) => Promise<Result>,
	) {
		const results = await callInBatches(nodes, call);
		const list = results.flatMap(({ refused }) => refused);
		if (list.length > 0) setRefusedNodes({ title: refusedTitle({ count: formatCount(list.length) }), list });
		const doneIds = new Set(results.flatMap(({ done }) => done));
		return { results, done: nodes.filter(({ id }) => doneIds.has(id)) };
	}

	const moveTo = (nodes: Node[], path: string) =>
		inBatches(nodes, m.files_move_failed_for, (ids) => client.files.move({ ids, path }));

	const move = (nodes: Node[], path: string) =>
		runBusy(async () => {
			const { done } = await moveTo(nodes, path);
			if (done.length > 0)
				toastWithUndo(countedMessage(done, m.files_moved_one, m.files_moved), () => moveBack(done), toastMs.files);
			return done.map(({ id }) => id);
		});

	const moveBack = (moved: Node[]) =>
		void runBusy(async () => {
			for (const [path, nodes] of Map.groupBy(moved, (node) => node.path)) await moveTo(nodes, path);
			return [];
		});

	const copy = (nodes: Node[], owner: string, path: string) =>
		runBusy(async () => {
			const { done, results } = await inBatches(nodes, m.files_copy_failed_for, (ids) =>
				client.files.copy({ ids, owner, path }),
			);
			const pendingCount = results.reduce((sum, result) => sum + result.underWay.length, 0);
			if (done.length > 0) toastSuccess(countedMessage(done, m.files_copied_one, m.files_copied), toastMs.filesSuccess);
			if (pendingCount > 0)
				toastSuccess(
					pendingCount === 1 ? m.files_copying_one() : m.files_copying({ count: formatCount(pendingCount) }),
					toastMs.files,
				);
			return done.map(({ id }) => id);
		});

	const remove = (nodes: Node[]) =>
		runBusy(async () => {
			const { done } = await inBatches(nodes, m.files_delete_failed_for, (ids) => client.files.removeMany({ ids }));
			if (done.length > 0)
				toastWithUndo(countedMessage(done, m.files_deleted_one, m.files_deleted), () => restore(done), toastMs.files);
			return done.map(({ id }) => id);
		});

	const restore = (removed: Node[]) =>
		void runBusy(async () => {
			for (const { id } of removed) await client.files.restore({ id });
			toastSuccess(countedMessage(removed, m.files_restored_one, m.files_restored), toastMs.filesSuccess);
			return [];
		});

	return { move, copy, remove, isBusy, refusals: refusedNodes, dismissRefusedNodes: () => setRefusedNodes(null) };
}

export type NodeOperations = ReturnType<typeof useNodeOperations>;

function countedMessage(
	nodes: readonly Node[],
	one: (values: { name: string }) => string,
	many: (values: { count: string }) => string,
): string {
	const [only] = nodes;
	return only !== undefined && nodes.length === 1
		? one({ name: only.name })
		: many({ count: formatCount(nodes.length) });
}
