import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatEditionLabel } from '#contract/book/editions.ts';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { getLocale } from '#messages/runtime';
import { api, type CallOutputs } from '#web/platform/api/client.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { NameList } from '#web/ui/data/name-list.tsx';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { Notice } from '#web/ui/states/notice.tsx';

interface DeleteDialogProps {
	owner: string;
	nodes: Node[];
	isBusy: boolean;
	onConfirm: () => void;
	onClose: () => void;
}

export function DeleteDialog({ owner, nodes, isBusy, onConfirm, onClose }: DeleteDialogProps) {
	const isBook = owner.toLowerCase() === 'book';
	// Always refetched, because outdated settings could hide the warning about editions.
	const editions = useQuery(api.bookSettings.editionPlaces.queryOptions({ enabled: isBook, staleTime: 0, gcTime: 0 }));
	return (
		<ConfirmDialog
			onClose={onClose}
			onConfirm={onConfirm}
			question={questionOf(nodes)}
			detail={
				<Stack gap={12}>
					<NameList items={nodes} />
					{isBook && <AffectedEditions nodes={nodes} query={editions} />}
					<TrashNote nodes={nodes} />
				</Stack>
			}
			confirmLabel={m.files_delete()}
			isBusy={isBusy || (isBook && editions.isFetching)}
		/>
	);
}

interface AffectedEditionsProps {
	nodes: readonly Node[];
	query: { data?: CallOutputs['bookSettings']['editionPlaces'] | undefined; isError: boolean };
}

function AffectedEditions({ nodes, query: { data, isError } }: AffectedEditionsProps) {
	if (isError) return <Notice tone="negative">{m.files_delete_editions_unknown()}</Notice>;
	const ids = new Set(nodes.map(({ id }) => id));
	const affected = (data?.items ?? []).filter(({ nodeIds }) => nodeIds.some((id) => ids.has(id)));
	if (data === undefined || affected.length === 0) return null;
	const labelOptions = { locale: getLocale(), partLabel: (part: number) => m.reader_part({ part }) };
	const editions = affected.map(
		(edition) => formatEditionLabel(data.offered, edition, labelOptions) || m.files_delete_book(),
	);
	return <Notice tone="negative">{m.files_delete_editions({ editions: editions.join('; ') })}</Notice>;
}

function TrashNote({ nodes }: { nodes: readonly Node[] }) {
	const settings = useQuery(api.spaces.getSettings.queryOptions());
	const days = settings.data?.trashDays;
	const hasFolder = nodes.length > 1 && nodes.some(({ kind }) => kind === 'folder');
	const inTrash =
		days === undefined
			? m.files_delete_trash()
			: days === 1
				? m.files_delete_trash_one_day()
				: m.files_delete_trash_days({ days: formatCount(days) });
	return <p className={textClasses.note}>{hasFolder ? `${m.files_delete_with_content()} ${inTrash}` : inTrash}</p>;
}

function questionOf(nodes: readonly Node[]): string {
	if (nodes.length > 1) return m.files_delete_many_question({ count: formatCount(nodes.length) });
	return nodes[0]?.kind === 'folder' ? m.files_delete_folder_question() : m.files_delete_file_question();
}
