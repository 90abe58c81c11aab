import { Stack } from '@mantine/core';
import { useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { ChosenTokens } from '#web/ui/data/chosen-tokens.tsx';
import { NameList } from '#web/ui/data/name-list.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { useReaders } from '../api.ts';
import {
	keyOfTarget,
	labelOfTarget,
	type ShareActions,
	type ShareableNode,
	type ShareTarget,
} from '../use-share-actions.tsx';
import { RecipientSearch } from './recipient-search.tsx';
import { type ShareConfirmation, ShareConfirmationDialog, shareEffectText } from './share-confirmation.tsx';
import classes from './share-dialog.module.css';
import { ShareReaders } from './share-readers.tsx';

interface ShareDialogProps {
	nodes: readonly ShareableNode[];
	/** Email address of the owner of the space. */
	owner: string;
	actions: ShareActions;
	onClose: () => void;
}

/** Shares nodes with users and groups. For a single node, also lists who can read the node. Opens on mount. */
export function ShareDialog({ nodes, owner, actions, onClose }: ShareDialogProps) {
	const [confirmation, setConfirmation] = useState<{ target: ShareTarget; question: ShareConfirmation } | null>(null);
	const [chosen, setChosen] = useState<readonly ShareTarget[]>([]);
	const [only, ...furtherNodes] = nodes;
	if (only === undefined) return null;
	const isSingle = furtherNodes.length === 0;
	const share = (targets: readonly ShareTarget[], onShared?: () => void) =>
		actions.share.mutate({ nodes, targets }, { onSuccess: (hasShared) => hasShared && onShared?.() });
	return (
		<>
			<Dialog
				onClose={onClose}
				title={
					isSingle
						? m.sharing_dialog_title({ name: only.name })
						: m.sharing_dialog_many({ count: formatCount(nodes.length) })
				}
				width={560}
				isDismissible={confirmation === null}
				isDirty={chosen.length > 0}
				footer={
					<>
						<Button onClick={onClose}>{m.common_close()}</Button>
						<Button
							variant="primary"
							disabled={chosen.length === 0 || actions.isBusy}
							onClick={() => share(chosen, () => setChosen([]))}
						>
							{actions.share.isPending ? m.sharing_sharing() : m.sharing_share()}
						</Button>
					</>
				}
			>
				<Stack gap={20}>
					{!isSingle && <NameList items={nodes} />}
					<p className={classes.effect}>{shareEffectText(nodes)}</p>
					<Recipients owner={owner} nodeId={isSingle ? only.id : ''} chosen={chosen} onChange={setChosen} />
					{isSingle && (
						<ShareReaders
							node={only}
							onUnshare={(target, from, group) =>
								setConfirmation({ target, question: { kind: 'unshare', node: only, from, group } })
							}
							onShare={(target) => share([target])}
						/>
					)}
				</Stack>
			</Dialog>
			{confirmation !== null && (
				<ShareConfirmationDialog {...confirmation} actions={actions} onClose={() => setConfirmation(null)} />
			)}
		</>
	);
}

interface RecipientsProps {
	owner: string;
	/** A node whose readers are marked; '' for none. */
	nodeId: string;
	chosen: readonly ShareTarget[];
	onChange: (chosen: readonly ShareTarget[]) => void;
}

/** The chosen users and groups, and a search for more. */
function Recipients({ owner, nodeId, chosen, onChange }: RecipientsProps) {
	const pages = useReaders(nodeId, nodeId !== '').data?.pages ?? [];
	const users = pages.flatMap(({ items }) => items).filter(({ canRead }) => canRead);
	const groups = pages.flatMap((page) => page.groups).filter(({ canRead }) => canRead);
	const readers = new Set([...users.map(({ email }) => email), ...groups.map(({ group }) => group.id)]);
	const remove = (key: string) => onChange(chosen.filter((target) => keyOfTarget(target) !== key));
	const toggle = (target: ShareTarget) => {
		const key = keyOfTarget(target);
		if (chosen.some((other) => keyOfTarget(other) === key)) remove(key);
		else if (chosen.length < limits.shareRecipientsPerCallMax) onChange([...chosen, target]);
	};
	return (
		<Stack gap={12}>
			<ChosenTokens
				label={m.sharing_chosen()}
				tokens={chosen.map((target) => ({
					id: keyOfTarget(target),
					label: labelOfTarget(target),
					isGroup: 'groupId' in target,
				}))}
				onRemove={remove}
			/>
			<RecipientSearch owner={owner} readers={readers} chosen={chosen} onChoose={toggle} />
		</Stack>
	);
}
