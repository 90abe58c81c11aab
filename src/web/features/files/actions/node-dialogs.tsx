import type { Node } from '#contract/files/files.ts';
import { FolderPicker, type FolderTarget } from '../pickers/folder-picker.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { FolderNameDialog } from './folder-name-dialog.tsx';
import type { NodeOperations } from './use-node-operations.ts';

/** What is being asked before it is done. */
export type NodeDialogState = { kind: 'rename'; node: Node } | { kind: 'move' | 'copy' | 'remove'; nodes: Node[] };

interface NodeDialogsProps {
	dialog: NodeDialogState | null;
	/** The folder shown: where one begins to choose another. */
	start: FolderTarget;
	operations: NodeOperations;
	/** Hears which entries stand here no longer, or need no selection any more. */
	onProcessed: (ids: string[]) => void;
	onClose: () => void;
}

/** The dialogs that ask for a name, a place or a yes. */
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
