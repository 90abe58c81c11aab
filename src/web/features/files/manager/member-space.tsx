import type { ReactNode } from 'react';
import { formatCount } from '#web/platform/formats/format.ts';
import { useFolder } from '../api.ts';
import { ancestorPathsOf, type FileListQuery, listQueryInFolder, nodeLinksOf } from '../file-list-query.ts';
import { FolderListing } from '../list/folder-listing.tsx';
import { type Crumb, FileBreadcrumb } from './file-breadcrumb.tsx';
import classes from './member-space.module.css';

interface MemberSpaceProps {
	owner: 'me' | 'guest';
	title: string;
	/** Shown beside the title instead of the number of files. */
	note?: string;
	listQuery: FileListQuery;
	searchParamsOf: (place: FileListQuery) => Record<string, string>;
	onChange: (change: Partial<FileListQuery>) => void;
	/** Rendered between the heading and the nodes. */
	children?: ReactNode;
}

/** One space on a member's dashboard; there are several on the page. */
export function MemberSpace({ owner, title, note, listQuery, searchParamsOf, onChange, children }: MemberSpaceProps) {
	const folder = useFolder(owner, listQuery);
	const { first } = folder;
	const open = (path: string) => searchParamsOf(listQueryInFolder(listQuery, path));
	const crumbs: Crumb[] = [
		{ key: '', name: title, to: '/dashboard', search: open('') },
		...ancestorPathsOf(listQuery.path).map((path, index) => ({
			key: path,
			name: first?.breadcrumb[index]?.name ?? '…',
			to: '/dashboard',
			search: open(path),
		})),
	];
	return (
		<section className={classes.space} aria-label={title}>
			<div className={classes.header}>
				<h2 className={classes.title}>{title}</h2>
				<span className={classes.note}>
					{note ?? (first && formatCount(first.totals.folders + first.totals.files))}
				</span>
			</div>
			{listQuery.path !== '' && <FileBreadcrumb crumbs={crumbs} />}
			{children}
			<FolderListing
				owner={owner}
				folder={folder}
				listQuery={listQuery}
				links={nodeLinksOf(listQuery, searchParamsOf)}
				onChange={onChange}
			/>
		</section>
	);
}
