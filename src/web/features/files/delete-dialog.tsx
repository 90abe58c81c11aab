import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/format.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { useLast } from './use-last.ts';

interface DeleteDialogProps {
	nodes: Node[] | null;
	isBusy: boolean;
	onConfirm: (nodes: Node[]) => void;
	onClose: () => void;
}

/** Asks, in the specified words, before a file, a folder with its content, or many of them are deleted. */
export function DeleteDialog({ nodes, isBusy, onConfirm, onClose }: DeleteDialogProps) {
	const shown = useLast(nodes) ?? [];
	return (
		<ConfirmDialog
			isOpen={nodes !== null}
			onClose={onClose}
			onConfirm={() => nodes !== null && onConfirm(nodes)}
			question={questionOf(shown)}
			detail={shown.length === 1 ? <bdi>{shown[0]?.name}</bdi> : m.files_delete_many_note()}
			confirmLabel={m.files_delete()}
			isBusy={isBusy}
		/>
	);
}

function questionOf(nodes: readonly Node[]): string {
	if (nodes.length > 1) return m.files_delete_many_question({ count: formatCount(nodes.length) });
	return nodes[0]?.kind === 'folder' ? m.files_delete_folder_question() : m.files_delete_file_question();
}
