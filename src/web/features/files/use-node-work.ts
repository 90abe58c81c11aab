import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import type { ManyResult, Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api.ts';
import { describeFailure } from '#web/platform/failure.ts';
import { formatCount } from '#web/platform/format.ts';
import { toastError, toastMs, toastSuccess } from '#web/platform/toasts.ts';
import { toastWithUndo } from '#web/ui/undo-toast.tsx';

export type Refusal = ManyResult['refused'][number];

/** What could not be done to some of the entries, while the rest was. */
export interface Refusals {
	title: string;
	list: Refusal[];
}

/**
 * Moves, copies and deletes entries, as many as there are: in calls of as many as one may carry. What was refused is
 * listed by name; what was moved or deleted can be taken back.
 * Each call resolves with the ids that it was done to.
 */
export function useNodeWork() {
	const queryClient = useQueryClient();
	const [isBusy, setBusy] = useState(false);
	const [refusals, setRefusals] = useState<Refusals | null>(null);

	async function run(work: () => Promise<string[]>): Promise<string[]> {
		setBusy(true);
		try {
			return await work();
		} catch (error) {
			toastError(describeFailure(error).message, toastMs.files);
			return [];
		} finally {
			setBusy(false);
			void queryClient.invalidateQueries({ queryKey: api.files.key() });
		}
	}

	/** Calls with as many entries as one call may carry, one call after the other, and lists what was refused. */
	async function inParts<Result extends { refused: Refusal[] }>(
		nodes: Node[],
		refusedTitle: (count: { count: string }) => string,
		call: (ids: string[]) => Promise<Result>,
	): Promise<Result[]> {
		const results: Result[] = [];
		for (let from = 0; from < nodes.length; from += limits.nodesAtOnceMax)
			results.push(await call(nodes.slice(from, from + limits.nodesAtOnceMax).map(({ id }) => id)));
		const list = results.flatMap(({ refused }) => refused);
		if (list.length > 0) setRefusals({ title: refusedTitle({ count: formatCount(list.length) }), list });
		return results;
	}

	async function moveTo(nodes: Node[], path: string): Promise<Node[]> {
		const results = await inParts(nodes, m.files_move_refused, (ids) => client.files.move({ ids, path }));
		const moved = new Set(results.flatMap(({ done }) => done.map(({ id }) => id)));
		return nodes.filter(({ id }) => moved.has(id));
	}

	const move = (nodes: Node[], path: string) =>
		run(async () => {
			const moved = await moveTo(nodes, path);
			if (moved.length > 0)
				toastWithUndo(wordsFor(moved, m.files_moved_one, m.files_moved), () => moveBack(moved), toastMs.files);
			return moved.map(({ id }) => id);
		});

	const moveBack = (moved: Node[]) =>
		void run(async () => {
			for (const [path, nodes] of Map.groupBy(moved, (node) => node.path)) await moveTo(nodes, path);
			return [];
		});

	const copy = (nodes: Node[], owner: string, path: string) =>
		run(async () => {
			const results = await inParts(nodes, m.files_copy_refused, (ids) => client.files.copy({ ids, owner, path }));
			const copied = new Set(results.flatMap((result) => result.done.map(({ id }) => id)));
			const underWay = results.reduce((sum, result) => sum + result.underWay.length, 0);
			const done = nodes.filter(({ id }) => copied.has(id));
			if (done.length > 0) toastSuccess(wordsFor(done, m.files_copied_one, m.files_copied), toastMs.filesSuccess);
			if (underWay > 0)
				toastSuccess(
					underWay === 1 ? m.files_copying_one() : m.files_copying({ count: formatCount(underWay) }),
					toastMs.files,
				);
			return done.map(({ id }) => id);
		});

	const remove = (nodes: Node[]) =>
		run(async () => {
			const results = await inParts(nodes, m.files_delete_refused, (ids) => client.files.removeMany({ ids }));
			const removed = new Set(results.flatMap((result) => result.done));
			const done = nodes.filter(({ id }) => removed.has(id));
			if (done.length > 0)
				toastWithUndo(wordsFor(done, m.files_deleted_one, m.files_deleted), () => restore(done), toastMs.files);
			return done.map(({ id }) => id);
		});

	const restore = (removed: Node[]) =>
		void run(async () => {
			for (const { id } of removed) await client.files.restore({ id });
			toastSuccess(wordsFor(removed, m.files_restored_one, m.files_restored), toastMs.filesSuccess);
			return [];
		});

	return { move, copy, remove, isBusy, refusals, dismissRefusals: () => setRefusals(null) };
}

export type NodeWork = ReturnType<typeof useNodeWork>;

/** One is named, many are counted. */
function wordsFor(
	nodes: readonly Node[],
	one: (values: { name: string }) => string,
	many: (values: { count: string }) => string,
): string {
	const [only] = nodes;
	return only !== undefined && nodes.length === 1
		? one({ name: only.name })
		: many({ count: formatCount(nodes.length) });
}
