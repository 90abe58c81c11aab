import type { ReactNode } from 'react';
import { formatCount } from '#web/platform/format.ts';
import { type Crumb, FileBreadcrumb } from './file-breadcrumb.tsx';
import { type FilePlace, linksIn, pathsTo, placeAt } from './file-place.ts';
import { useFolder } from './files.api.ts';
import { FolderListing } from './folder-listing.tsx';
import classes from './member-space.module.css';

interface MemberSpaceProps {
	owner: 'me' | 'guest';
	title: string;
	/** Stands beside the title instead of the number of files. */
	note?: string;
	place: FilePlace;
	searchFor: (place: FilePlace) => Record<string, string>;
	onChange: (change: Partial<FilePlace>) => void;
	/** Between the heading and the entries. */
	children?: ReactNode;
}

/** One space on a member's dashboard; several stand on the same page. */
export function MemberSpace({ owner, title, note, place, searchFor, onChange, children }: MemberSpaceProps) {
	const folder = useFolder(owner, place);
	const { first } = folder;
	const open = (path: string) => searchFor(placeAt(place, path));
	const crumbs: Crumb[] = [
		{ key: '', name: title, to: '/dashboard', search: open('') },
		...pathsTo(place.path).map((path, index) => ({
			key: path,
			name: first?.breadcrumb[index]?.name ?? '…',
			to: '/dashboard',
			search: open(path),
		})),
	];
	return (
		<section className={classes.space} aria-label={title}>
			<div className={classes.head}>
				<h2 className={classes.title}>{title}</h2>
				<span className={classes.note}>
					{note ?? (first && formatCount(first.totals.folders + first.totals.files))}
				</span>
			</div>
			{place.path !== '' && <FileBreadcrumb crumbs={crumbs} />}
			{children}
			<FolderListing
				owner={owner}
				folder={folder}
				place={place}
				links={linksIn(place, searchFor)}
				onChange={onChange}
			/>
		</section>
	);
}
