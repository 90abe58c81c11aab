import { Stack } from '@mantine/core';
import { useState } from 'react';
import type { GroupRef } from '#contract/accounts/groups.ts';
import type { BulkResult, Node } from '#contract/files/files.ts';
import type { RecipientInput } from '#contract/sharing/sharing.ts';
import { m } from '#messages';
import { api, callInBatches, client } from '#web/platform/api/client.ts';
import type { Failure } from '#web/platform/api/failure.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastError, toastMs, toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { groupName } from '#web/ui/data/user-rows.tsx';
import classes from './dialog/share-dialog.module.css';

export type ShareableNode = Pick<Node, 'id' | 'kind' | 'name'>;

/** A user or group with whom nodes are shared. */
export type ShareTarget = { email: string } | { groupId: string; name: string };

export function targetOfGroup(group: GroupRef): ShareTarget {
	return { groupId: group.id, name: groupName(group) };
}

export function labelOfTarget(target: ShareTarget): string {
	return 'email' in target ? target.email : target.name;
}

/** The email address or the group's id. */
export function keyOfTarget(target: ShareTarget): string {
	return 'email' in target ? target.email : target.groupId;
}

function inputOf(target: ShareTarget): RecipientInput {
	return 'email' in target ? { email: target.email } : { groupId: target.groupId };
}

interface ShareRequest {
	nodes: readonly ShareableNode[];
	targets: readonly ShareTarget[];
}

/** Shares and unshares nodes, and reports failures. `share` returns whether at least one node was shared. */
export function useShareActions() {
	/** Nodes that could not be shared; listed in a dialog. */
	const [refusals, setRefusals] = useState<{ title: string; list: BulkResult['refused'] } | null>(null);
	const refetch = [api.sharing.key()];
	const share = useChange(
		async ({ nodes, targets }: ShareRequest) => {
			const done: string[] = [];
			const refused: Array<BulkResult['refused'][number] & { recipient: string }> = [];
			try {
				await callInBatches(nodes, async (ids) => {
					const result = await client.sharing.shareMany({ ids, recipients: targets.map(inputOf) });
					done.push(...result.done);
					refused.push(...result.refused);
				});
			} finally {
				if (done.length > 0) toastSuccess(m.sharing_shared_with({ email: listTargets(targets) }), toastMs.filesSuccess);
			}
			// Nodes that were already shared are reported only if no node was shared and no other node failed.
			const failed = refused.filter(({ code }) => code !== 'ALREADY_SHARED');
			const [only] = done.length === 0 && (failed.length === 0 || nodes.length * targets.length === 1) ? refused : [];
			if (only !== undefined) toastShareFailure(m.sharing_share_failed(), only);
			else if (failed.length > 0) {
				const names = new Map(nodes.map(({ id, name }) => [id, name]));
				const list = failed.map(({ id, recipient, ...refusal }) => {
					const name = names.get(id) ?? refusal.name;
					return {
						...refusal,
						id: `${id} ${recipient}`,
						name: targets.length === 1 ? name : `${name} · ${recipient}`,
					};
				});
				setRefusals({ title: m.sharing_failed_for({ count: formatCount(failed.length) }), list });
			}
			return done.length > 0;
		},
		{ refetch, onError: (failure) => toastShareFailure(m.sharing_share_failed(), failure) },
	);
	const unshare = useChange(
		({ node, target }: { node: ShareableNode; target: ShareTarget }) =>
			client.sharing.unshare({ nodeId: node.id, ...inputOf(target) }),
		{
			refetch,
			onSuccess: (_, { node }) =>
				toastSuccess(
					node.kind === 'folder' ? m.sharing_folder_unshared() : m.sharing_file_unshared(),
					toastMs.filesSuccess,
				),
			onError: (failure) => toastShareFailure(m.sharing_unshare_failed(), failure),
		},
	);
	const isBusy = share.isPending || unshare.isPending;
	return { share, unshare, isBusy, refusals, dismissRefusals: () => setRefusals(null) };
}

/** Names one recipient, or says how many there are. */
function listTargets(targets: readonly ShareTarget[]): string {
	const [only] = targets;
	if (targets.length === 1 && only !== undefined) return labelOfTarget(only);
	return m.sharing_recipients({ count: targets.length, shown: formatCount(targets.length) });
}

export type ShareActions = ReturnType<typeof useShareActions>;

function toastShareFailure(title: string, { code, message }: Pick<Failure, 'code' | 'message'>): void {
	if (code === 'ALREADY_SHARED') {
		toastError(message, toastMs.files);
		return;
	}
	toastError(
		<Stack component="span" gap={2} style={{ overflowWrap: 'anywhere' }}>
			<span>{title}</span>
			<span className={classes.note}>{code === 'NOT_FOUND' ? m.sharing_gone() : message}</span>
		</Stack>,
		toastMs.files,
	);
}
