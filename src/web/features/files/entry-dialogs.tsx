import type { Node } from '#contract/files/files.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { FolderChooser, type Target } from './folder-chooser.tsx';
import { FolderNameDialog } from './folder-name-dialog.tsx';
import type { NodeWork } from './use-node-work.ts';

/** What is being asked before it is done. */
export type EntryQuestion = { kind: 'rename'; node: Node } | { kind: 'move' | 'copy' | 'remove'; nodes: Node[] };

interface EntryDialogsProps {
	question: EntryQuestion | null;
	/** The folder shown: where one begins to choose another. */
	start: Target;
	work: NodeWork;
	/** Hears which entries stand here no longer, or need no selection any more. */
	onGone: (ids: string[]) => void;
	onClose: () => void;
}

/** The dialogs that ask for a name, a place or a yes. */
export function EntryDialogs({ question, start, work, onGone, onClose }: EntryDialogsProps) {
	async function act(doIt: () => Promise<string[]>): Promise<void> {
		onGone(await doIt());
		onClose();
	}
	return (
		<>
			<FolderNameDialog purpose={question?.kind === 'rename' ? question.node : null} onClose={onClose} />
			<DeleteDialog
				owner={start.owner}
				nodes={question?.kind === 'remove' ? question.nodes : null}
				isBusy={work.isBusy}
				onConfirm={(nodes) => void act(() => work.remove(nodes))}
				onClose={onClose}
			/>
			{(question?.kind === 'move' || question?.kind === 'copy') && (
				<FolderChooser
					purpose={question.kind}
					nodes={question.nodes}
					start={start}
					isBusy={work.isBusy}
					onChoose={({ owner, path }) =>
						void act(() =>
							question.kind === 'move' ? work.move(question.nodes, path) : work.copy(question.nodes, owner, path),
						)
					}
					onClose={onClose}
				/>
			)}
		</>
	);
}
