import { Flex } from '@mantine/core';
import { IconFileZip } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Node, zipDownloadUrl } from '#contract/files/files.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { ButtonAnchor, ButtonLink } from '#web/ui/primitives/button.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { DeniedState } from '#web/ui/states/states.tsx';
import { useSharedFolder, useSharedRoot } from '../api.ts';
import { type FileListQuery, isFiltered, listQueryInFolder, listQuerySearchParams } from '../file-list-query.ts';
import { FolderListing } from '../list/folder-listing.tsx';
import { BackLink, type Crumb, FolderHeader } from './file-breadcrumb.tsx';
import classes from './file-manager.module.css';
import { FileToolbar } from './file-toolbar.tsx';

const home = '/dashboard/book';

interface SharedFoldersProps {
	/** `path`: id of the open folder, because shared folders are in several spaces; '' for the list of shares. */
	listQuery: FileListQuery;
	onChange: (change: Partial<FileListQuery>) => void;
	children: ReactNode;
}

export function sharedFoldersSearchParams({ path, ...filters }: FileListQuery): Record<string, string> {
	const search = listQuerySearchParams({ ...filters, path: '' });
	return path === '' ? search : { folder: path, ...search };
}

export function SharedFolders(props: SharedFoldersProps) {
	const { path } = props.listQuery;
	return path === '' ? <SharedFoldersRoot {...props} /> : <SharedFolder key={path} {...props} />;
}

function listingPropsOf({ listQuery, onChange }: SharedFoldersProps) {
	const links = {
		toFolder: (folder: Node) => sharedFoldersSearchParams(listQueryInFolder(listQuery, folder.id)),
		// No link, because only the names of parent folders are known, not their ids.
		toParent: () => null,
	};
	return { owner: 'shared', listQuery, onChange, links };
}

function SharedFoldersRoot(props: SharedFoldersProps) {
	const { listQuery, onChange, children } = props;
	const listing = useSharedRoot(listQuery);
	const isEmpty = listing.isEmpty && !isFiltered(listQuery);
	return (
		<>
			<PageHeader
				title={m.screen_shared_folders()}
				back={useIsPhone() && <BackLink to="/dashboard" label={m.screen_dashboard()} />}
			/>
			<Flex direction="column" gap={20} className={classes.body}>
				{children}
				{!isEmpty && <FileToolbar listQuery={listQuery} onChange={onChange} />}
				<FolderListing
					{...listingPropsOf(props)}
					folder={listing}
					labels={{ failed: m.shared_failed(), empty: m.shared_none() }}
				/>
			</Flex>
		</>
	);
}

function SharedFolder(props: SharedFoldersProps) {
	const { listQuery, onChange } = props;
	const listing = useSharedFolder(listQuery.path, listQuery);
	const isGone = describeFailure(listing.query.error).status === 404;
	const crumbs = crumbsOf(listQuery, isGone ? undefined : listing.first?.breadcrumb);
	return (
		<>
			<FolderHeader
				crumbs={crumbs}
				{...(isGone && { title: m.screen_shared_folders() })}
				backLabel={m.files_go_up()}
				actions={
					!isGone &&
					listing.first !== undefined && (
						<ButtonAnchor
							icon={IconFileZip}
							href={zipDownloadUrl([listQuery.path])}
							download
							aria-label={m.zip_download()}
						>
							<span className={textClasses.hiddenOnPhone}>{m.zip_download()}</span>
						</ButtonAnchor>
					)
				}
			/>
			<Flex direction="column" gap={20} className={classes.body}>
				{isGone ? (
					<DeniedState
						title={m.shared_gone_title()}
						text={m.shared_gone_text()}
						action={
							<ButtonLink variant="primary" to={home}>
								{m.shared_back()}
							</ButtonLink>
						}
					/>
				) : (
					<>
						<FileToolbar listQuery={listQuery} onChange={onChange} />
						<FolderListing
							{...listingPropsOf(props)}
							folder={listing}
							labels={{ failed: m.shared_content_failed(), empty: m.files_empty() }}
						/>
					</>
				)}
			</Flex>
		</>
	);
}

function crumbsOf(listQuery: FileListQuery, folders: ReadonlyArray<{ id: string; name: string }> | undefined): Crumb[] {
	const root = { id: '', name: m.screen_shared_folders() };
	return [root, ...(folders ?? [{ id: listQuery.path, name: '…' }])].map(({ id, name }) => ({
		key: id,
		name,
		to: home,
		search: sharedFoldersSearchParams(listQueryInFolder(listQuery, id)),
	}));
}
