import { Box, Flex } from '@mantine/core';
import { type ReactNode, useCallback, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatStorage } from '#web/platform/formats/format.ts';
import { dialogOnDemand } from '#web/ui/overlays/overlays-on-demand.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { RefusedNodesDialog } from '../actions/refused-nodes-dialog.tsx';
import { useNodeOperations } from '../actions/use-node-operations.ts';
import { type Folder, useFolder } from '../api.ts';
import {
	type FileListQuery,
	isFiltered,
	listQueryInFolder,
	listQuerySearchParams,
	nodeLinksOf,
} from '../file-list-query.ts';
import { FolderListing } from '../list/folder-listing.tsx';
import type { PickedFiles } from '../upload-sources/picked-files.ts';
import { UploadButton } from '../upload-sources/upload-button.tsx';
import { useFileDrop } from '../upload-sources/use-file-drop.ts';
import { type Crumb, FolderHeader, folderCrumbs, isReservedSpace, spaceName } from './file-breadcrumb.tsx';
import classes from './file-manager.module.css';
import { FileToolbar } from './file-toolbar.tsx';
import { FolderActions } from './folder-actions.tsx';

const FolderNameDialog = dialogOnDemand(
	() => import('../actions/folder-name-dialog.tsx').then((file) => ({ Dialog: file.FolderNameDialog })),
	'Dialog',
);

interface FileManagerProps {
	/** An email address, or a reserved owner: `guest` or `book`. */
	owner: string;
	listQuery: FileListQuery;
	onListQuery: (target: FileListQuery) => void;
	onUpload: (picked: PickedFiles, path: string) => void;
	/** Must be a stable function. Undefined in a space that cannot be shared. */
	onShare: ((nodes: Node[]) => void) | undefined;
	/** Renders a badge beside the name. Must be a stable function. */
	renderBadge: (node: Node) => ReactNode;
}

/** Shows write actions only if the server's list allows writing. */
export function FileManager({ owner, listQuery, onListQuery, onUpload, onShare, renderBadge }: FileManagerProps) {
	const folder = useFolder(owner, listQuery);
	const canWrite = folder.first?.can.write === true;
	const [isCreating, setCreating] = useState(false);
	const { path } = listQuery;
	const upload = useCallback(
		(picked: PickedFiles, targetPath: string | null = null) => onUpload(picked, targetPath ?? path),
		[onUpload, path],
	);
	const dropTarget = useFileDrop(canWrite ? upload : undefined);
	const change = (part: Partial<FileListQuery>) => onListQuery({ ...listQuery, ...part });
	const crumbs = crumbsOf(owner, listQuery, folder);
	const operations = useNodeOperations();
	const parentNames = crumbs.slice(0, -1).flatMap(({ key, name }) => (key === 'users' ? [] : [name]));
	const isEmptySpace = folder.isEmpty && path === '' && !isFiltered(listQuery);
	const hasToolbar = !isEmptySpace && (folder.query.error === null || folder.first !== undefined);

	return (
		<>
			<FolderHeader
				crumbs={crumbs}
				actions={canWrite && <FolderActions owner={owner} onCreate={() => setCreating(true)} onUpload={upload} />}
				onMove={canWrite ? (nodes, to) => void operations.move(nodes, to) : undefined}
				subtitle={parentNames.length > 0 ? parentNames.join(' / ') : undefined}
				backLabel={path === '' ? m.files_users() : m.files_go_up()}
			/>
			<Flex direction="column" gap={20} className={classes.body}>
				{hasToolbar && <FileToolbar listQuery={listQuery} onChange={change} />}
				{folder.first?.use && <SpaceUse use={folder.first.use} />}
				<FolderListing
					folder={folder}
					listQuery={listQuery}
					owner={owner}
					links={nodeLinksOf(listQuery, listQuerySearchParams)}
					onChange={change}
					operations={operations}
					onShare={onShare}
					renderBadge={renderBadge}
					emptyAction={canWrite && <UploadButton onUpload={upload} isQuiet />}
				/>
			</Flex>
			{dropTarget !== null && (
				<div className={classes.drop}>
					{dropTarget.path === null ? m.files_drop_here() : m.uploads_drop_into({ name: dropTarget.name })}
				</div>
			)}
			{isCreating && <FolderNameDialog purpose={{ owner, path }} onClose={() => setCreating(false)} />}
			<RefusedNodesDialog refusals={operations.refusals} onClose={operations.dismissRefusedNodes} />
		</>
	);
}

function SpaceUse({ use: { usedBytes, quotaBytes } }: { use: NonNullable<NonNullable<Folder['first']>['use']> }) {
	const used = formatStorage(usedBytes);
	const isFull = quotaBytes !== null && usedBytes >= quotaBytes;
	return (
		<Box component="p" className={textClasses.smallFigure} c={isFull ? 'var(--negative)' : undefined}>
			{quotaBytes === null
				? m.files_space_used({ used })
				: m.files_space_used_of({ used, quota: formatStorage(quotaBytes) })}
		</Box>
	);
}

function crumbsOf(owner: string, listQuery: FileListQuery, { first }: Folder): Crumb[] {
	const to = `/user/${encodeURIComponent(owner)}`;
	const linkTo = (path: string) => ({ to, search: listQuerySearchParams(listQueryInFolder(listQuery, path)) });
	const users = isReservedSpace(owner) ? [] : [{ key: 'users', name: m.files_users(), to: '/admin', search: {} }];
	const rootCrumb = { key: '', name: spaceName(owner, first?.space.email), dropPath: '', ...linkTo('') };
	return [...users, rootCrumb, ...folderCrumbs(listQuery.path, first?.breadcrumb, linkTo)];
}
