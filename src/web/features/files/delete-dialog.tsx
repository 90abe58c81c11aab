import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { toastError, toastMs } from '#web/platform/toasts.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { useRemoveNode } from './files.api.ts';
import { useLast } from './use-last.ts';

/** Asks, in the specified words, before a file or a folder with its content is deleted. */
export function DeleteDialog({ node, onClose }: { node: Node | null; onClose: () => void }) {
	const remove = useRemoveNode();
	const shown = useLast(node);
	return (
		<ConfirmDialog
			isOpen={node !== null}
			onClose={onClose}
			onConfirm={() => {
				if (node === null) return;
				remove.mutate(
					{ id: node.id },
					{
						onSettled: onClose,
						onError: (error) =>
							toastError(
								m.files_delete_failed({ name: node.name, message: describeFailure(error).message }),
								toastMs.files,
							),
					},
				);
			}}
			question={shown?.kind === 'folder' ? m.files_delete_folder_question() : m.files_delete_file_question()}
			detail={<bdi>{shown?.name}</bdi>}
			confirmLabel={m.files_delete()}
			isBusy={remove.isPending}
		/>
	);
}
