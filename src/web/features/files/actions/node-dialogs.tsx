import type { Node } from '#contract/files/files.ts';
import { FolderPicker } from '../pickers/folder-picker.tsx';
import type { FolderTarget } from '../pickers/picker-lists.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { FolderNameDialog } from './folder-name-dialog.tsx';
import type { NodeOperations } from './use-node-operations.ts';

export type NodeDialogState = { kind: 'rename'; node: Node } | { kind: 'move' | 'copy' | 'remove'; nodes: Node[] };

interface NodeDialogsProps {
	dialog: NodeDialogState | null;
	start: FolderTarget;
	operations: NodeOperations;
	/** Called with the ids of the nodes for which the operation succeeded, so that they are deselected. */
	onProcessed: (ids: string[]) => void;
	onClose: () => void;
}

/** The dialogs for renaming, moving, copying and deleting nodes. */
export function NodeDialogs({ dialog, start, operations, onProcessed, onClose }: NodeDialogsProps) {
	async function run(operation: () => Promise<string[]>): Promise<void> {
		onProcessed(await operation());
		onClose();
	}
	return (
		<>
			<FolderNameDialog purpose={dialog?.kind === 'rename' ? dialog.node : null} onClose={onClose} />
			<DeleteDialog
				owner={start.owner}
				nodes={dialog?.kind === 'remove' ? dialog.nodes : null}
				isBusy={operations.isBusy}
				onConfirm={(nodes) => void run(() => operations.remove(nodes))}
				onClose={onClose}
			/>
			{(dialog?.kind === 'move' || dialog?.kind === 'copy') && (
				<FolderPicker
					purpose={dialog.kind}
					nodes={dialog.nodes}
					start={start}
					isBusy={operations.isBusy}
					onChoose={({ owner, path }) =>
						void run(() =>
							dialog.kind === 'move' ? operations.move(dialog.nodes, path) : operations.copy(dialog.nodes, owner, path),
						)
					}
					onClose={onClose}
				/>
			)}
		</>
	);
}
