import { Stack } from '@mantine/core';
import type { ShareState } from '#contract/sharing/sharing.ts';
import { m } from '#messages';
import { NameList } from '#web/ui/data/name-list.tsx';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import type { ShareActions, ShareableNode } from '../use-share-actions.tsx';
import classes from './share-dialog.module.css';

/** `from`: the parent folder from which the access is inherited, and which stays shared; null if there is none. */
export type ShareConfirmation =
	| { kind: 'share'; nodes: readonly ShareableNode[] }
	| { kind: 'unshare'; node: ShareableNode; from: ShareState['from'] };

interface ShareConfirmationDialogProps {
	question: ShareConfirmation;
	email: string;
	actions: ShareActions;
	/** Called if at least one node was shared. */
	onShared?: (() => void) | undefined;
	onClose: () => void;
}

/** Confirms sharing or unsharing nodes. Opens on mount. */
export function ShareConfirmationDialog({ question, email, actions, onShared, onClose }: ShareConfirmationDialogProps) {
	const isShare = question.kind === 'share';
	const nodes = isShare ? question.nodes : [question.node];
	function confirm(): void {
		if (!isShare) actions.unshare.mutate({ node: question.node, email }, { onSettled: onClose });
		else
			actions.share.mutate(
				{ nodes, email },
				{ onSuccess: (hasShared) => hasShared && onShared?.(), onSettled: onClose },
			);
	}
	return (
		<ConfirmDialog
			onClose={onClose}
			onConfirm={confirm}
			question={isShare ? m.sharing_share_question({ email }) : m.sharing_unshare_question({ email })}
			detail={
				<Stack gap={12}>
					<NameList items={nodes} />
					<p className={classes.effect}>
						{isShare ? shareEffectText(nodes) : unshareEffectText(question.node, question.from)}
					</p>
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

function unshareEffectText({ kind }: ShareableNode, from: ShareState['from']): string {
	if (from === null) return kind === 'folder' ? m.sharing_unshare_effect_folder() : m.sharing_unshare_effect_file();
	const { name } = from;
	return kind === 'folder'
		? m.sharing_unshare_effect_inherited_folder({ name })
		: m.sharing_unshare_effect_inherited_file({ name });
}
