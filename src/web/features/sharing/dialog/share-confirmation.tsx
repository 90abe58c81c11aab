import { Stack } from '@mantine/core';
import type { GroupRef } from '#contract/accounts/groups.ts';
import type { ShareState } from '#contract/sharing/sharing.ts';
import { m } from '#messages';
import { NameList } from '#web/ui/data/name-list.tsx';
import { groupName } from '#web/ui/data/user-rows.tsx';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import { labelOfTarget, type ShareActions, type ShareableNode, type ShareTarget } from '../use-share-actions.tsx';
import classes from './share-dialog.module.css';

interface UnshareQuestion {
	kind: 'unshare';
	node: ShareableNode;
	/** The parent folder from which the access is inherited, and which stays shared; null if there is none. */
	from: ShareState['from'];
	/** The group through which a user reads the node, and with which it stays shared. */
	group: GroupRef | null;
}

export type ShareConfirmation = { kind: 'share'; nodes: readonly ShareableNode[] } | UnshareQuestion;

interface ShareConfirmationDialogProps {
	question: ShareConfirmation;
	target: ShareTarget;
	actions: ShareActions;
	/** Called if at least one node was shared. */
	onShared?: (() => void) | undefined;
	onClose: () => void;
}

/** Confirms sharing or unsharing nodes. Opens on mount. */
export function ShareConfirmationDialog(props: ShareConfirmationDialogProps) {
	const { question, target, actions, onShared, onClose } = props;
	const isShare = question.kind === 'share';
	const nodes = isShare ? question.nodes : [question.node];
	const label = labelOfTarget(target);
	function confirm(): void {
		if (!isShare) actions.unshare.mutate({ node: question.node, target }, { onSettled: onClose });
		else
			actions.share.mutate(
				{ nodes, targets: [target] },
				{ onSuccess: (hasShared) => hasShared && onShared?.(), onSettled: onClose },
			);
	}
	return (
		<ConfirmDialog
			onClose={onClose}
			onConfirm={confirm}
			question={isShare ? m.sharing_share_question({ email: label }) : m.sharing_unshare_question({ email: label })}
			detail={
				<Stack gap={12}>
					<NameList items={nodes} />
					<p className={classes.effect}>{isShare ? shareEffectText(nodes) : unshareEffectText(question, target)}</p>
				</Stack>
			}
			confirmLabel={confirmLabel(question.kind, actions)}
			isBusy={actions.isBusy}
			variant={isShare ? 'primary' : 'danger'}
		/>
	);
}

function confirmLabel(kind: ShareConfirmation['kind'], { isBusy }: ShareActions): string {
	if (kind === 'share') return isBusy ? m.sharing_sharing() : m.sharing_share();
	return isBusy ? m.sharing_unsharing() : m.sharing_unshare();
}

/** Describes what a recipient can read after the nodes are shared. */
export function shareEffectText(nodes: readonly ShareableNode[]): string {
	if (nodes.length > 1) return m.sharing_share_effect_many();
	return nodes[0]?.kind === 'folder' ? m.sharing_share_effect_folder() : m.sharing_share_effect_file();
}

function unshareEffectText({ node: { kind }, from, group }: UnshareQuestion, target: ShareTarget): string {
	const isFolder = kind === 'folder';
	if ('groupId' in target) {
		if (from !== null) return m.sharing_unshare_effect_group_inner({ name: from.name });
		return isFolder ? m.sharing_unshare_effect_group_folder() : m.sharing_unshare_effect_group_file();
	}
	if (group !== null) return m.sharing_unshare_effect_member({ group: groupName(group) });
	if (from === null) return isFolder ? m.sharing_unshare_effect_folder() : m.sharing_unshare_effect_file();
	const { name } = from;
	return isFolder
		? m.sharing_unshare_effect_inherited_folder({ name })
		: m.sharing_unshare_effect_inherited_file({ name });
}
