import { IconChevronLeft, IconTrashX } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#messages';
import { SearchField } from '#web/ui/forms/search-field.tsx';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { type Crumb, FileBreadcrumb, spaceName } from '../manager/file-breadcrumb.tsx';
import { type TrashQuestion, useTrash } from './trash-api.ts';
import { TrashDialog } from './trash-dialog.tsx';
import { TrashList } from './trash-list.tsx';
import classes from './trash-view.module.css';
import { useTrashSelection } from './use-trash-selection.ts';

interface TrashViewProps {
	owner: string;
	/** The search text; part of the URL. */
	q: string;
	onSearch: (q: string) => void;
}

/** A space's trash: deleted items, until they are purged. Remount (`key`) for another space. */
export function TrashView({ owner, q, onSearch }: TrashViewProps) {
	const isPhone = useIsPhone();
	const trash = useTrash(owner, '');
	const selection = useTrashSelection(owner, q);
	const [question, setQuestion] = useState<TrashQuestion | null>(null);
	const root = `/user/${encodeURIComponent(owner)}`;
	const name = spaceName(owner, trash.data?.space.email);
	const crumbs: Crumb[] = [
		{ key: 'space', name, to: root, search: {} },
		{ key: 'trash', name: m.files_trash(), to: root, search: { trash: '' } },
	];
	const headerProps = isPhone
		? {
				back: (
					<ButtonLink
						variant="quiet"
						to={root}
						search={{}}
						aria-label={m.files_trash_back()}
						icon={<IconChevronLeft {...iconProps} />}
					/>
				),
			}
		: { breadcrumb: <FileBreadcrumb crumbs={crumbs} /> };
	const total = trash.data?.total ?? 0;
	return (
		<>
			<PageHeader
				title={isPhone ? m.files_trash() : m.files_trash_of({ name })}
				actions={
					total > 0 && (
						<Button icon={<IconTrashX {...iconProps} />} onClick={() => setQuestion({ kind: 'empty', total })}>
							{m.files_empty_trash()}
						</Button>
					)
				}
				{...headerProps}
			/>
			<div className={classes.body}>
				{(total > 0 || q !== '') && (
					<div className={classes.search}>
						<SearchField label={m.files_trash_search()} value={q} onChange={onSearch} />
					</div>
				)}
				<TrashList
					key={q}
					owner={owner}
					q={q}
					selection={selection}
					onPurge={(nodes) => setQuestion({ kind: 'purge', nodes })}
				/>
			</div>
			<TrashDialog owner={owner} question={question} onPurged={selection.drop} onClose={() => setQuestion(null)} />
		</>
	);
}
