// biome-ignore-all lint/a11y/useSemanticElements: a virtual list shows only some rows, which a table cannot.
// biome-ignore-all lint/a11y/useFocusableInteractive: the rows take the focus, not their cells.
import { IconDownload, IconEye, IconTrash } from '@tabler/icons-react';
import { memo } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatDateTime, formatSize } from '#web/platform/formats/format.ts';
import { useLocale } from '#web/platform/formats/locale.ts';
import { Button, ButtonAnchor } from '#web/ui/primitives/button.tsx';
import { iconProps, smallIconProps } from '#web/ui/primitives/icon.ts';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { PlainIconButton } from '../../../ui/primitives/icon-button.tsx';
import { type NodeActions, NodeMenu } from '../actions/node-menu.tsx';
import { downloadUrl, mainActionOf } from '../preview/preview-file.ts';
import classes from './file-row.module.css';
import { FileThumb } from './file-thumb.tsx';
import { NodeCheckbox } from './node-checkbox.tsx';
import { type NodeLinks, NodeLocation } from './node-location.tsx';

interface FileRowProps {
	/** Undefined while its page is loading. */
	file: Node | undefined;
	/** Index among all nodes, folders first. */
	index: number;
	/** Position among the files, from 1. */
	position: number;
	isCursor: boolean;
	isSelected: boolean;
	isPhone: boolean;
	actions: NodeActions;
	/** Links to the folder of a search result. */
	links: NodeLinks;
}

/** One file: its icon and name, Preview or Download; Delete and the other actions for users who may write. */
export const FileRow = memo(function FileRow(props: FileRowProps) {
	useLocale();
	const { file, index, position, isCursor, isSelected, isPhone, actions, links } = props;
	if (file === undefined) return <RowSkeleton position={position} index={index} isCursor={isCursor} />;
	const { name, size, uploadedAt } = file;
	return (
		<div
			role="row"
			aria-rowindex={position + 1}
			aria-selected={isSelected}
			className={classes.row}
			data-row={index}
			data-entry={index}
			draggable={actions.canWrite && !isPhone}
			tabIndex={isCursor ? 0 : -1}
		>
			<div role="gridcell" className={classes.main}>
				<NodeCheckbox name={name} index={index} isSelected={isSelected} actions={actions} />
				<FileThumb file={file} size={isPhone ? 40 : 32} canWrite={actions.canWrite} />
				<div className={classes.text}>
					<button type="button" className={classes.name} tabIndex={-1} title={name} onClick={() => actions.open(file)}>
						<bdi>{name}</bdi>
					</button>
					{isPhone && <span className={classes.meta}>{`${formatSize(size)} · ${formatDateTime(uploadedAt)}`}</span>}
					{file.folders !== null && !isPhone && <NodeLocation node={file} links={links} />}
				</div>
				{actions.renderBadge?.(file)}
			</div>
			{!isPhone && (
				<>
					<div role="gridcell" className={classes.size}>
						{formatSize(size)}
					</div>
					<div role="gridcell" className={classes.date}>
						{formatDateTime(uploadedAt)}
					</div>
				</>
			)}
			<div role="gridcell" className={classes.actions}>
				{isPhone && actions.canWrite ? (
					<NodeMenu key={file.id} node={file} actions={actions} />
				) : (
					<RowButtons key={file.id} file={file} actions={actions} isPhone={isPhone} />
				)}
			</div>
		</div>
	);
});

function RowSkeleton({ position, index, isCursor }: { position: number; index: number; isCursor: boolean }) {
	return (
		<div
			role="row"
			aria-rowindex={position + 1}
			aria-busy="true"
			className={classes.row}
			data-row={index}
			tabIndex={isCursor ? 0 : -1}
		>
			<div role="gridcell" className={classes.main} aria-label={m.common_loading()}>
				<Skeleton width="32px" height="32px" />
				<Skeleton width="44%" />
			</div>
		</div>
	);
}

function RowButtons({ file, actions, isPhone }: { file: Node; actions: NodeActions; isPhone: boolean }) {
	const { name, url } = file;
	const isPreviewed = mainActionOf(file) === 'preview';
	return (
		<>
			{isPreviewed ? (
				<Button
					variant="quiet"
					size="small"
					aria-label={m.files_preview_of({ name })}
					icon={!isPhone && <IconEye {...smallIconProps} />}
					onClick={() => actions.open(file)}
				>
					{m.files_preview()}
				</Button>
			) : (
				url !== null && (
					<ButtonAnchor
						variant="quiet"
						size="small"
						aria-label={m.files_download_of({ name })}
						icon={!isPhone && <IconDownload {...smallIconProps} />}
						href={downloadUrl(url)}
						download
					>
						{m.files_download()}
					</ButtonAnchor>
				)
			)}
			{isPreviewed && url !== null && !isPhone && !actions.canWrite && <DownloadIcon name={name} url={url} />}
			{actions.canWrite && (
				<>
					<PlainIconButton
						label={m.files_delete_of({ name })}
						icon={<IconTrash {...iconProps} />}
						onClick={() => actions.remove([file])}
					/>
					<NodeMenu node={file} actions={actions} />
				</>
			)}
		</>
	);
}

function DownloadIcon({ name, url }: { name: string; url: string }) {
	return (
		<ButtonAnchor
			variant="quiet"
			size="small"
			aria-label={m.files_download_of({ name })}
			title={m.files_download()}
			icon={<IconDownload {...iconProps} />}
			href={downloadUrl(url)}
			download
		/>
	);
}
