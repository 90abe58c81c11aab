import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import { useLastNonNull } from '../../../ui/hooks/latest-value.ts';
import { NodeNames } from '../actions/delete-dialog.tsx';
import { type TrashQuestion, useEmptyTrash, usePurge } from './trash-api.ts';

interface TrashDialogProps {
	owner: string;
	question: TrashQuestion | null;
	/** Called with the ids of items that are purged, or were already. */
	onPurged: (ids: readonly string[]) => void;
	onClose: () => void;
}

/** Asks for confirmation before items are purged. */
export function TrashDialog({ owner, question, onPurged, onClose }: TrashDialogProps) {
	const purge = usePurge();
	const empty = useEmptyTrash();
	const shown = useLastNonNull(question);
	const isEmptying = shown?.kind === 'empty';
	return (
		<ConfirmDialog
			isOpen={question !== null}
			onClose={onClose}
			onConfirm={() => {
				if (question?.kind === 'empty') empty.mutate({ owner }, { onSettled: onClose });
				else if (question !== null)
					purge.mutate(question.nodes, {
						onSuccess: () => onPurged(question.nodes.map(({ id }) => id)),
						onSettled: onClose,
					});
			}}
			question={questionOf(shown)}
			detail={
				<>
					{shown?.kind === 'purge' && <NodeNames nodes={shown.nodes} />}
					<p>{m.files_purge_note()}</p>
				</>
			}
			confirmLabel={isEmptying ? m.files_empty_trash() : m.files_purge()}
			isBusy={purge.isPending || empty.isPending}
		/>
	);
}

function questionOf(question: TrashQuestion | null | undefined): string {
	const count = question?.kind === 'empty' ? question.total : (question?.nodes.length ?? 1);
	if (count > 1) return m.files_empty_trash_question({ count: formatCount(count) });
	return question?.kind === 'empty' ? m.files_empty_trash_question_one() : m.files_purge_question();
}
