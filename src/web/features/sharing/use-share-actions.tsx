import { Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BulkIdsResult, Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { api, callInBatches, client } from '#web/platform/api/client.ts';
import { describeFailure, type Failure } from '#web/platform/api/failure.ts';
import { toastError, toastMs, toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import classes from './dialog/share-dialog.module.css';

export type ShareableNode = Pick<Node, 'id' | 'kind' | 'name'>;

/** The nodes that could not be shared, while sharing succeeded for others. */
interface RefusedShares {
	title: string;
	list: BulkIdsResult['refused'];
}

/** Shares and unshares nodes, and shows the result. Calls resolve with the ids of the nodes for which they succeeded. */
export function useShareActions() {
	const queryClient = useQueryClient();
	const [busy, setBusy] = useState<'share' | 'unshare'>();
	const [refusedShares, setRefusedShares] = useState<RefusedShares | null>(null);

	async function run<T>(kind: 'share' | 'unshare', operation: () => Promise<T>): Promise<T> {
		setBusy(kind);
		try {
			return await operation();
		} finally {
			setBusy(undefined);
			void queryClient.invalidateQueries({ queryKey: api.sharing.key() });
		}
	}

	const share = (nodes: readonly ShareableNode[], email: string): Promise<string[]> =>
		run('share', async () => {
			const names = new Map(nodes.map(({ id, name }) => [id, name]));
			const done: string[] = [];
			const refused: BulkIdsResult['refused'] = [];
			let failure: Failure | undefined;
			try {
				await callInBatches(nodes, async (ids) => {
					const result = await client.sharing.shareMany({ ids, email });
					done.push(...result.done);
					refused.push(...result.refused);
				});
			} catch (error) {
				failure = describeFailure(error);
			}
			if (done.length > 0) toastSuccess(m.sharing_shared_with({ email }), toastMs.filesSuccess);
			// If several nodes were to be shared, those that were shared already are not reported as failures.
			const failed = refused.filter(({ code }) => code !== 'ALREADY_SHARED');
			const [only] = done.length === 0 && (nodes.length === 1 || failed.length === 0) ? refused : [];
			if (failure !== undefined) toastShareFailure('share', failure);
			else if (only !== undefined) toastShareFailure('share', only);
			else if (failed.length > 0)
				setRefusedShares({
					title: m.sharing_failed_for({ count: formatCount(failed.length) }),
					list: failed.map((refusal) => ({ ...refusal, name: names.get(refusal.id) ?? refusal.name })),
				});
			return done;
		});

	const unshare = (node: ShareableNode, email: string): Promise<string[]> =>
		run('unshare', async () => {
			try {
				await client.sharing.unshare({ nodeId: node.id, email });
			} catch (error) {
				toastShareFailure('unshare', describeFailure(error));
				return [];
			}
			const message = node.kind === 'folder' ? m.sharing_folder_unshared() : m.sharing_file_unshared();
			toastSuccess(message, toastMs.filesSuccess);
			return [node.id];
		});

	return { share, unshare, busy, refusals: refusedShares, dismissRefusedShares: () => setRefusedShares(null) };
}

export type ShareActions = ReturnType<typeof useShareActions>;

/** Shows the specified message that sharing or unsharing failed, with the reason below it. */
function toastShareFailure(operation: 'share' | 'unshare', { code, message }: Pick<Failure, 'code' | 'message'>): void {
	if (code === 'ALREADY_SHARED') {
		toastError(message, toastMs.files);
		return;
	}
	toastError(
		<Stack component="span" gap={2} style={{ overflowWrap: 'anywhere' }}>
			<span>{operation === 'share' ? m.sharing_share_failed() : m.sharing_unshare_failed()}</span>
			<span className={classes.note}>{code === 'NOT_FOUND' ? m.sharing_gone() : message}</span>
		</Stack>,
		toastMs.files,
	);
}
