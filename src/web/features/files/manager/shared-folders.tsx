import { IconFileZip } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Node, zipDownloadUrl } from '#contract/files/files.ts';
import { m } from '#messages';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { ButtonAnchor, ButtonLink } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { DeniedState } from '#web/ui/states/states.tsx';
import { useSharedFolder, useSharedRoot } from '../api.ts';
import { type FileListQuery, isFiltered, listQueryInFolder, listQuerySearchParams } from '../file-list-query.ts';
import { FolderListing } from '../list/folder-listing.tsx';
import { BackLink, type Crumb, FileBreadcrumb } from './file-breadcrumb.tsx';
import classes from './file-manager.module.css';
import { FileToolbar } from './file-toolbar.tsx';

const home = '/dashboard/book';

interface SharedFoldersProps {
	/** Here `path` is the id of the folder shown, or '' at the top, because shares come from many spaces. */
	listQuery: FileListQuery;
	onChange: (change: Partial<FileListQuery>) => void;
	children: ReactNode;
}

/** The search parameters of a list query in the shared folders. */
export function sharedFoldersSearchParams({ path, ...filters }: FileListQuery): Record<string, string> {
	const search = listQuerySearchParams({ ...filters, path: '' });
	return path === '' ? search : { folder: path, ...search };
}

/** What is shared with the user: all shares at the top, and the content of each shared folder. */
export function SharedFolders(props: SharedFoldersProps) {
	const { path } = props.listQuery;
	return path === '' ? <SharedFoldersRoot {...props} /> : <SharedFolder key={path} {...props} />;
}

function listingPropsOf({ listQuery, onChange }: SharedFoldersProps) {
	const links = {
		toFolder: (folder: Node) => sharedFoldersSearchParams(listQueryInFolder(listQuery, folder.id)),
		// Folder names alone do not lead to a folder in another user's space.
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
				back={useIsPhone() && <BackLink to={{ to: '/dashboard', search: {} }} label={m.screen_dashboard()} />}
			/>
			<div className={classes.body}>
				{children}
				{!isEmpty && <FileToolbar listQuery={listQuery} onChange={onChange} />}
				<FolderListing
					{...listingPropsOf(props)}
					folder={listing}
					labels={{ failed: m.shared_failed(), empty: m.shared_none() }}
				/>
			</div>
		</>
	);
}

function SharedFolder(props: SharedFoldersProps) {
	const { listQuery, onChange } = props;
	const listing = useSharedFolder(listQuery.path, listQuery);
	const isGone = listing.failure?.status === 404;
	const crumbs = crumbsOf(listQuery, isGone ? undefined : listing.first?.breadcrumb);
	const isPhone = useIsPhone();
	const parent = crumbs.at(-2);
	const title = isGone ? m.screen_shared_folders() : (crumbs.at(-1)?.name ?? '…');
	return (
		<>
			<PageHeader
				title={title}
				breadcrumb={isPhone ? undefined : <FileBreadcrumb crumbs={crumbs} />}
				back={isPhone && parent && <BackLink to={parent} label={m.files_go_up()} />}
				actions={!isGone && listing.first !== undefined && <FolderDownload id={listQuery.path} isPhone={isPhone} />}
			/>
			<div className={classes.body}>
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
			</div>
		</>
	);
}

function FolderDownload({ id, isPhone }: { id: string; isPhone: boolean }) {
	return (
		<ButtonAnchor
			variant={isPhone ? 'quiet' : 'default'}
			icon={<IconFileZip {...iconProps} />}
			href={zipDownloadUrl([id])}
			download
			aria-label={m.zip_download()}
		>
			{!isPhone && m.zip_download()}
		</ButtonAnchor>
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
