import { Box } from '@mantine/core';
import { IconTrashX } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { useLastNonNull } from '../../../ui/hooks/latest-value.ts';
import { BackLink, type Crumb, FileBreadcrumb, spaceName } from '../manager/file-breadcrumb.tsx';
import classes from '../manager/file-manager.module.css';
import { useEmptyTrash, useTrash } from './trash-api.ts';
import { TrashList } from './trash-list.tsx';

interface TrashViewProps {
	owner: string;
	q: string;
	onSearch: (q: string) => void;
}

/** A space's trash: deleted items, until they are purged. Remount (`key`) for another space. */
export function TrashView({ owner, q, onSearch }: TrashViewProps) {
	const isPhone = useIsPhone();
	const trash = useTrash(owner, '');
	const empty = useEmptyTrash();
	/** The number of items that the question names; null while it is closed. */
	const [asked, setAsked] = useState<number | null>(null);
	const count = useLastNonNull(asked) ?? 0;
	const to = `/user/${encodeURIComponent(owner)}`;
	const name = spaceName(owner, trash.data?.space.email);
	const space: Crumb = { key: 'space', name, to, search: {} };
	const crumbs: Crumb[] = [space, { key: 'trash', name: m.files_trash(), to, search: { trash: '' } }];
	const total = trash.data?.total ?? 0;
	return (
		<>
			<PageHeader
				title={isPhone ? m.files_trash() : m.files_trash_of({ name })}
				actions={
					total > 0 && (
						<Button icon={<IconTrashX {...iconProps} />} onClick={() => setAsked(total)}>
							{m.files_empty_trash()}
						</Button>
					)
				}
				breadcrumb={isPhone ? undefined : <FileBreadcrumb crumbs={crumbs} />}
				back={isPhone && <BackLink to={space} label={m.files_trash_back()} />}
			/>
			<div className={classes.body} style={{ display: 'block' }}>
				{(total > 0 || q !== '') && (
					<Box maw={360} mb={16}>
						<SearchField label={m.files_trash_search()} value={q} onChange={onSearch} />
					</Box>
				)}
				<TrashList key={q} owner={owner} q={q} />
			</div>
			<ConfirmDialog
				isOpen={asked !== null}
				onClose={() => setAsked(null)}
				onConfirm={() => empty.mutate({ owner }, { onSettled: () => setAsked(null) })}
				question={
					count > 1 ? m.files_empty_trash_question({ count: formatCount(count) }) : m.files_empty_trash_question_one()
				}
				detail={<p>{m.files_purge_note()}</p>}
				confirmLabel={m.files_empty_trash()}
				isBusy={empty.isPending}
			/>
		</>
	);
}
