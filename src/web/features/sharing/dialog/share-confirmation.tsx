import { Stack } from '@mantine/core';
import type { ShareState } from '#contract/sharing/sharing.ts';
import { m } from '#messages';
import { NameList } from '#web/ui/data/name-list.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import type { ShareActions, ShareableNode } from '../use-share-actions.tsx';
import classes from './share-dialog.module.css';

/** The change to confirm: nodes to share, or a node to unshare; `from` is the folder around it that stays shared. */
export type ShareConfirmation =
	| { kind: 'share'; nodes: readonly ShareableNode[] }
	| { kind: 'unshare'; node: ShareableNode; from: ShareState['from'] };

interface ShareConfirmationDialogProps {
	question: ShareConfirmation;
	email: string;
	actions: ShareActions;
	/** Called with the ids of the nodes that were shared or unshared. */
	onDone?: (ids: string[]) => void;
	onClose: () => void;
}

/** Asks before nodes are shared or unshared: shows the nodes, the recipient and the effect. Mount it to open it. */
export function ShareConfirmationDialog({ question, email, actions, onDone, onClose }: ShareConfirmationDialogProps) {
	const isShare = question.kind === 'share';
	const nodes = isShare ? question.nodes : [question.node];
	async function confirm(): Promise<void> {
		const ids = isShare ? await actions.share(nodes, email) : await actions.unshare(question.node, email);
		onDone?.(ids);
		onClose();
	}
	return (
		<Dialog
			onClose={onClose}
			title={isShare ? m.sharing_share_question({ email }) : m.sharing_unshare_question({ email })}
			width={440}
			footer={
				<>
					<Button onClick={onClose} data-autofocus={isShare ? undefined : true}>
						{m.common_cancel()}
					</Button>
					<Button
						variant={isShare ? 'primary' : 'danger'}
						disabled={actions.busy !== undefined}
						data-autofocus={isShare || undefined}
						onClick={() => void confirm()}
					>
						{confirmLabel(question.kind, actions)}
					</Button>
				</>
			}
		>
			<Stack gap={12}>
				<NameList items={nodes} isPlain />
				<p className={classes.effect}>
					{isShare ? shareEffectText(nodes) : unshareEffectText(question.node, question.from)}
				</p>
			</Stack>
		</Dialog>
	);
}

function confirmLabel(kind: ShareConfirmation['kind'], { busy }: ShareActions): string {
	if (kind === 'share') return busy === undefined ? m.sharing_share() : m.sharing_sharing();
	return busy === undefined ? m.sharing_unshare() : m.sharing_unsharing();
}

/** Returns the text that says what a recipient can read after these nodes are shared. */
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
