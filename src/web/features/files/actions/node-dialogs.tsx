import type { Node } from '#contract/files/files.ts';
import { FolderPicker } from '../pickers/folder-picker.tsx';
import type { FolderTarget } from '../pickers/picker-lists.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { FolderNameDialog } from './folder-name-dialog.tsx';
import type { NodeOperations } from './use-node-operations.ts';

/** The open dialog and the nodes that it is about. */
export type NodeDialogState = { kind: 'rename'; node: Node } | { kind: 'move' | 'copy' | 'remove'; nodes: Node[] };

interface NodeDialogsProps {
	dialog: NodeDialogState | null;
	start: FolderTarget;
	operations: NodeOperations;
	/** Called with the ids of nodes that have left this list or no longer need to be selected. */
	onProcessed: (ids: string[]) => void;
	onClose: () => void;
}

/** The dialogs that ask for a name, a target folder or a confirmation. */
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
