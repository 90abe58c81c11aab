import { useQuery } from '@tanstack/react-query';
import type { Node } from '#contract/files/files.ts';
import type { EditionPlace } from '#contract/settings/book-settings.ts';
import { m } from '#messages';
import { api } from '#web/platform/api.ts';
import { formatCount } from '#web/platform/format.ts';
import { ConfirmDialog } from '#web/ui/dialog.tsx';
import { NameList } from '#web/ui/name-list.tsx';
import { Notice } from '#web/ui/notice.tsx';
import classes from './delete-dialog.module.css';
import { useLast } from './use-last.ts';

interface DeleteDialogProps {
	/** Whose space they lie in. */
	owner: string;
	nodes: Node[] | null;
	isBusy: boolean;
	onConfirm: (nodes: Node[]) => void;
	onClose: () => void;
}

/**
 * Asks, in the specified words, before a file, a folder with its content, or many of them are deleted; says what they
 * are, for how long the trash keeps them, and which editions of the book buyers lose.
 */
export function DeleteDialog({ owner, nodes, isBusy, onConfirm, onClose }: DeleteDialogProps) {
	const shown = useLast(nodes) ?? [];
	const isAsking = nodes !== null;
	const isBook = owner.toLowerCase() === 'book';
	// Always asked anew: editions may have been assigned a moment ago.
	const editions = useQuery(
		api.bookSettings.editionPlaces.queryOptions({ enabled: isAsking && isBook, staleTime: 0, gcTime: 0 }),
	);
	return (
		<ConfirmDialog
			isOpen={isAsking}
			onClose={onClose}
			onConfirm={() => nodes !== null && onConfirm(nodes)}
			question={questionOf(shown)}
			detail={
				<div className={classes.detail}>
					<NodeNames nodes={shown} />
					{isBook && <Lost nodes={shown} places={editions.data?.items} isUnknown={editions.isError} />}
					<TrashNote nodes={shown} isAsking={isAsking} />
				</div>
			}
			confirmLabel={m.files_delete()}
			isBusy={isBusy || (isBook && editions.isFetching)}
		/>
	);
}

/** What it is about: the first few by name. */
export function NodeNames({ nodes }: { nodes: ReadonlyArray<Pick<Node, 'id' | 'name'>> }) {
	const [only] = nodes;
	if (nodes.length === 1) return <bdi className={classes.name}>{only?.name}</bdi>;
	return <NameList things={nodes} />;
}

interface LostProps {
	nodes: readonly Node[];
	/** Undefined until the server has told. */
	places: readonly EditionPlace[] | undefined;
	isUnknown: boolean;
}

/** What buyers read in these files or folders. */
function Lost({ nodes, places, isUnknown }: LostProps) {
	if (isUnknown) return <Notice tone="negative">{m.files_delete_editions_unknown()}</Notice>;
	const ids = new Set(nodes.map(({ id }) => id));
	const lost = (places ?? []).filter(({ nodeIds }) => nodeIds.some((id) => ids.has(id)));
	if (lost.length === 0) return null;
	const editions = lost.map(({ part, language }) =>
		m.reader_edition({ part, language: language === 'hi' ? m.reader_language_hi() : m.reader_language_en() }),
	);
	return <Notice tone="negative">{m.files_delete_editions({ editions: editions.join('; ') })}</Notice>;
}

/** Folders are spoken of where one goes, and days as they are set. */
function TrashNote({ nodes, isAsking }: { nodes: readonly Node[]; isAsking: boolean }) {
	const settings = useQuery(api.spaces.getSettings.queryOptions({ enabled: isAsking }));
	const days = settings.data?.trashDays;
	const hasFolder = nodes.length > 1 && nodes.some(({ kind }) => kind === 'folder');
	const sentences = [
		...(hasFolder ? [m.files_delete_with_content()] : []),
		days === undefined
			? m.files_delete_trash()
			: days === 1
				? m.files_delete_trash_one_day()
				: m.files_delete_trash_days({ days: formatCount(days) }),
	];
	return <p className={classes.note}>{sentences.join(' ')}</p>;
}

function questionOf(nodes: readonly Node[]): string {
	if (nodes.length > 1) return m.files_delete_many_question({ count: formatCount(nodes.length) });
	return nodes[0]?.kind === 'folder' ? m.files_delete_folder_question() : m.files_delete_file_question();
}
