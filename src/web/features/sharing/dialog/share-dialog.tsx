import { Stack } from '@mantine/core';
import { useState } from 'react';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { NameList } from '#web/ui/data/name-list.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { useReaders } from '../api.ts';
import type { ShareActions, ShareableNode } from '../use-share-actions.tsx';
import { RecipientSearch } from './recipient-search.tsx';
import { type ShareConfirmation, ShareConfirmationDialog, shareEffectText } from './share-confirmation.tsx';
import classes from './share-dialog.module.css';
import { ShareReaders } from './share-readers.tsx';

interface ShareDialogProps {
	nodes: readonly ShareableNode[];
	/** Owner of the space: an email address or a reserved owner. */
	owner: string;
	actions: ShareActions;
	onClose: () => void;
}

/** Shares nodes with users. For a single node, also lists who can read the node. Opens on mount. */
export function ShareDialog({ nodes, owner, actions, onClose }: ShareDialogProps) {
	const [confirmation, setConfirmation] = useState<{ email: string; question: ShareConfirmation } | null>(null);
	const [only, ...furtherNodes] = nodes;
	const loadedReaders = useReaders(only?.id ?? '', furtherNodes.length === 0);
	const loaded = loadedReaders.data?.pages.flatMap(({ items }) => items) ?? [];
	const readers = new Set(loaded.filter(({ canRead }) => canRead).map(({ email }) => email));
	if (only === undefined) return null;
	const isSingle = furtherNodes.length === 0;
	const isShareable = !['guest', 'book'].includes(owner.toLowerCase());
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
				footer={<Button onClick={onClose}>{m.common_close()}</Button>}
			>
				<Stack gap={20}>
					{!isSingle && <NameList items={nodes} />}
					{isShareable && (
						<>
							<p className={classes.effect}>{shareEffectText(nodes)}</p>
							<RecipientSearch
								readers={readers}
								isBusy={actions.isBusy}
								onShare={(email) => actions.share.mutate({ nodes, email })}
							/>
						</>
					)}
					{isSingle && (
						<ShareReaders
							node={only}
							onUnshare={(email, from) => setConfirmation({ email, question: { kind: 'unshare', node: only, from } })}
							onShare={(email) => actions.share.mutate({ nodes, email })}
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
