import { IconChevronLeft } from '@tabler/icons-react';
import { type ReactNode, useCallback, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';

import { formatSize } from '#web/platform/format.ts';
import { ButtonLink } from '#web/ui/button.tsx';

import { iconProps } from '#web/ui/icon.ts';
import { PageHeader } from '#web/ui/page-header.tsx';
import { useIsPhone } from '#web/ui/use-is-phone.ts';
import { type Crumb, FileBreadcrumb } from './file-breadcrumb.tsx';
import classes from './file-manager.module.css';
import { type FilePlace, isNarrowed, linksIn, pathsTo, placeAt, searchOfPlace } from './file-place.ts';
import { FileToolbar } from './file-toolbar.tsx';
import { type Folder, useFolder } from './files.api.ts';
import { FolderActions } from './folder-actions.tsx';
import { FolderListing } from './folder-listing.tsx';
import { FolderNameDialog } from './folder-name-dialog.tsx';
import type { PickedFiles } from './picked-files.ts';
import { RefusalsDialog } from './refusals-dialog.tsx';
import { spaceName } from './space-name.ts';
import { UploadButton } from './upload-button.tsx';
import { useFileDrop } from './use-file-drop.ts';
import { type NodeWork, useNodeWork } from './use-node-work.ts';

interface FileManagerProps {
	/** An address, or one of the reserved owners `guest` and `book`. */
	owner: string;
	place: FilePlace;
	onPlace: (place: FilePlace) => void;
	/** Sends files and folders on their way into the folder at `path`. */
	onUpload: (picked: PickedFiles, path: string) => void;
	/** Shares entries with people; keeps being the same function. */
	onShare: (nodes: Node[]) => void;
	/** Stands beside the names of entries; keeps being the same function. */
	mark: (node: Node) => ReactNode;
}

/** The file manager of one space. What may be changed here, the server says with the list. */
export function FileManager({ owner, place, onPlace, onUpload, onShare, mark }: FileManagerProps) {
	const folder = useFolder(owner, place);
	const canWrite = folder.first?.can.write === true;
	const [created, setCreated] = useState<{ owner: string; path: string } | null>(null);
	const { path } = place;
	const upload = useCallback(
		(picked: PickedFiles, into: string | null = null) => onUpload(picked, into ?? path),
		[onUpload, path],
	);
	const dropPlace = useFileDrop(canWrite ? upload : undefined);
	const change = useCallback((part: Partial<FilePlace>) => onPlace({ ...place, ...part }), [onPlace, place]);
	const crumbs = crumbsOf(owner, place, folder);
	const work = useNodeWork();
	// Where nothing lies, nothing is searched or ordered.
	const isBare = folder.isEmpty && path === '' && !isNarrowed(place);
	const hasTools = !isBare && (folder.failure === undefined || folder.first !== undefined);

	return (
		<>
			<PageHeader
				title={crumbs.at(-1)?.name ?? owner}
				actions={
					canWrite && <FolderActions owner={owner} onCreate={() => setCreated({ owner, path })} onUpload={upload} />
				}
				{...useWayProps(crumbs, path, canWrite ? work : undefined)}
			/>
			<div className={classes.body}>
				{hasTools && <FileToolbar place={place} onChange={change} />}
				{folder.first?.use && <SpaceUse use={folder.first.use} />}
				<FolderListing
					folder={folder}
					place={place}
					owner={owner}
					links={linksIn(place, searchOfPlace)}
					onChange={change}
					work={work}
					onShare={onShare}
					mark={mark}
					emptyAction={canWrite && <UploadButton onUpload={upload} isQuiet />}
				/>
			</div>
			{dropPlace !== null && (
				<div className={classes.drop}>
					{dropPlace.path === null ? m.files_drop_here() : m.uploads_drop_into({ name: dropPlace.name })}
				</div>
			)}
			<FolderNameDialog purpose={created} onClose={() => setCreated(null)} />
			<RefusalsDialog refusals={work.refusals} onClose={work.dismissRefusals} />
		</>
	);
}

/** How full the whole space is, for whoever fills it. */
function SpaceUse({ use: { usedBytes, quotaBytes } }: { use: NonNullable<NonNullable<Folder['first']>['use']> }) {
	const used = formatSize(usedBytes);
	const isFull = quotaBytes !== null && usedBytes >= quotaBytes;
	return (
		<p className={classes.use} data-full={isFull || undefined}>
			{quotaBytes === null
				? m.files_space_used({ used })
				: m.files_space_used_of({ used, quota: formatSize(quotaBytes) })}
		</p>
	);
}

/** A breadcrumb where there is room, else the folder's name with a way up. */
function useWayProps(crumbs: readonly Crumb[], path: string, work: NodeWork | undefined) {
	const isPhone = useIsPhone();
	const above = crumbs.at(-2);
	const under = crumbs
		.slice(0, -1)
		.filter(({ key }) => key !== 'users')
		.map(({ name }) => name)
		.join(' / ');
	if (!isPhone) {
		const onMove = work && ((nodes: Node[], to: string) => void work.move(nodes, to));
		return { breadcrumb: <FileBreadcrumb crumbs={crumbs} onMove={onMove} /> };
	}
	if (above === undefined) return {};
	return {
		...(under !== '' && { under }),
		back: (
			<ButtonLink
				variant="quiet"
				to={above.to}
				search={above.search}
				aria-label={path === '' ? above.name : m.files_go_up()}
				icon={<IconChevronLeft {...iconProps} />}
			/>
		),
	};
}

function crumbsOf(owner: string, place: FilePlace, { first }: Folder): Crumb[] {
	const root = `/user/${encodeURIComponent(owner)}`;
	const key = owner.toLowerCase();
	const own: Crumb = {
		key: '',
		name: spaceName(owner, first?.space.email),
		to: root,
		search: searchOfPlace(placeAt(place, '')),
		dropPath: '',
	};
	const users: Crumb[] =
		key === 'guest' || key === 'book' ? [] : [{ key: 'users', name: m.files_users(), to: '/admin', search: {} }];
	const folders = pathsTo(place.path).map((each, index) => ({
		key: each,
		name: first?.breadcrumb[index]?.name ?? '…',
		to: root,
		search: searchOfPlace(placeAt(place, each)),
		dropPath: each,
	}));
	return [...users, own, ...folders];
}
