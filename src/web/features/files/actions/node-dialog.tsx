import type { Node } from '#contract/files/files.ts';
import { FolderPicker } from '../pickers/folder-picker.tsx';
import type { FolderTarget } from '../pickers/picker-lists.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { FolderNameDialog } from './folder-name-dialog.tsx';
import type { NodeOperations } from './use-node-operations.ts';

export interface NodeDialogState {
	kind: 'rename' | 'move' | 'copy' | 'remove';
	/** Exactly one node for `rename`. */
	nodes: Node[];
}

interface NodeDialogProps extends NodeDialogState {
	start: FolderTarget;
	operations: NodeOperations;
	/** Called with the ids of the nodes for which the operation succeeded. The caller deselects these nodes. */
	onProcessed: (ids: string[]) => void;
	onClose: () => void;
}

export function NodeDialog({ kind, nodes, start, operations, onProcessed, onClose }: NodeDialogProps) {
	async function run(operation: () => Promise<string[]>): Promise<void> {
		onProcessed(await operation());
		onClose();
	}
	const [only] = nodes;
	if (kind === 'rename') return only && <FolderNameDialog purpose={only} onClose={onClose} />;
	const shared = { nodes, isBusy: operations.isBusy, onClose };
	if (kind === 'remove')
		return <DeleteDialog owner={start.owner} onConfirm={() => void run(() => operations.remove(nodes))} {...shared} />;
	return (
		<FolderPicker
			purpose={kind}
			start={start}
			onChoose={({ owner, path }) =>
				void run(() => (kind === 'move' ? operations.move(nodes, path) : operations.copy(nodes, owner, path)))
			}
			{...shared}
		/>
	);
}
