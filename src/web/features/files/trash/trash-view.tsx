import { Box } from '@mantine/core';
import { IconTrashX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TrashedNode } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { NameList } from '#web/ui/data/name-list.tsx';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { type Crumb, FolderHeader, spaceName } from '../manager/file-breadcrumb.tsx';
import classes from '../manager/file-manager.module.css';
import { trashPageOptions, useTrashActions } from './trash-api.ts';
import { TrashList } from './trash-list.tsx';

/** The deleted items of a space. Must have the owner as its `key`, so that another space starts at page 1. */
export function TrashView({ owner, q, onSearch }: { owner: string; q: string; onSearch: (q: string) => void }) {
	const isPhone = useIsPhone();
	const trash = useQuery(trashPageOptions(owner, ''));
	const { purge, empty } = useTrashActions();
	/** The purge to confirm: of `nodes`, or of all items if `nodes` is undefined. */
	const [request, setRequest] = useState<{ nodes?: readonly TrashedNode[]; onPurged?: () => void } | null>(null);
	const close = () => setRequest(null);
	const to = `/user/${encodeURIComponent(owner)}`;
	const name = spaceName(owner, trash.data?.space.email);
	const crumbs: Crumb[] = [
		{ key: 'space', name, to, search: {} },
		{ key: 'trash', name: m.files_trash(), to, search: { trash: '' } },
	];
	const total = trash.data?.total ?? 0;
	const count = request?.nodes?.length ?? total;
	return (
		<>
			<FolderHeader
				crumbs={crumbs}
				title={isPhone ? m.files_trash() : m.files_trash_of({ name })}
				actions={
					total > 0 && (
						<Button icon={IconTrashX} onClick={() => setRequest({})}>
							{m.files_empty_trash()}
						</Button>
					)
				}
				backLabel={m.files_trash_back()}
			/>
			<div className={classes.body}>
				{(total > 0 || q !== '') && (
					<Box maw={360} mb={16}>
						<SearchField label={m.files_trash_search()} value={q} onChange={onSearch} />
					</Box>
				)}
				<TrashList key={q} owner={owner} q={q} onPurge={(nodes, onPurged) => setRequest({ nodes, onPurged })} />
			</div>
			{request !== null && (
				<ConfirmDialog
					onClose={close}
					onConfirm={() => {
						if (request.nodes === undefined) empty.mutate({ owner }, { onSettled: close });
						else purge.mutate(request.nodes, { onSuccess: () => request.onPurged?.(), onSettled: close });
					}}
					question={
						count > 1
							? m.files_empty_trash_question({ count: formatCount(count) })
							: request.nodes === undefined
								? m.files_empty_trash_question_one()
								: m.files_purge_question()
					}
					detail={
						<>
							{request.nodes !== undefined && <NameList items={request.nodes} />}
							<p>{m.files_purge_note()}</p>
						</>
					}
					confirmLabel={request.nodes === undefined ? m.files_empty_trash() : m.files_purge()}
					isBusy={empty.isPending || purge.isPending}
				/>
			)}
		</>
	);
}
