import { Box, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatCount } from '#web/platform/formats/format.ts';
import textClasses from '#web/ui/primitives/text.module.css';
import { useFolder } from '../api.ts';
import { type FileListQuery, listQueryInFolder, nodeLinksOf } from '../file-list-query.ts';
import { FolderListing } from '../list/folder-listing.tsx';
import { FileBreadcrumb, folderCrumbs } from './file-breadcrumb.tsx';

interface MemberSpaceProps {
	owner: 'me' | 'guest';
	title: string;
	note?: string;
	listQuery: FileListQuery;
	searchParamsOf: (target: FileListQuery) => Record<string, string>;
	onChange: (change: Partial<FileListQuery>) => void;
	children?: ReactNode;
}

export function MemberSpace({ owner, title, note, listQuery, searchParamsOf, onChange, children }: MemberSpaceProps) {
	const folder = useFolder(owner, listQuery);
	const { first } = folder;
	const { path } = listQuery;
	const linkTo = (to: string) => ({ to: '/dashboard', search: searchParamsOf(listQueryInFolder(listQuery, to)) });
	const rootCrumb = { key: '', name: title, ...linkTo('') };
	return (
		<Stack component="section" gap={16} miw={0} aria-label={title}>
			<Group gap="4px 10px" align="baseline">
				<Box component="h2" fz="xl" fw={600}>
					{title}
				</Box>
				<span className={textClasses.figure}>
					{note ?? (first && formatCount(first.totals.folders + first.totals.files))}
				</span>
			</Group>
			{path !== '' && <FileBreadcrumb crumbs={[rootCrumb, ...folderCrumbs(path, first?.breadcrumb, linkTo)]} />}
			{children}
			<FolderListing
				owner={owner}
				folder={folder}
				listQuery={listQuery}
				links={nodeLinksOf(listQuery, searchParamsOf)}
				onChange={onChange}
			/>
		</Stack>
	);
}
