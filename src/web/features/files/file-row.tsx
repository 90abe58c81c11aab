// biome-ignore-all lint/a11y/useSemanticElements: a virtual list shows only some rows, which a table cannot.
// biome-ignore-all lint/a11y/useFocusableInteractive: the rows take the focus, not their cells.
import { Menu } from '@mantine/core';
import { IconDotsVertical, IconDownload, IconEye, IconTrash } from '@tabler/icons-react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatDateTime, formatSize } from '#web/platform/format.ts';
import { Button, ButtonAnchor } from '#web/ui/button.tsx';
import { FileIcon } from '#web/ui/file-icon.tsx';
import { iconProps, smallIconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { downloadUrl, mainActionOf } from './file-preview.ts';
import classes from './file-row.module.css';
import type { NodeActions } from './node-actions.ts';

interface FileRowProps {
	file: Node;
	/** Among all entries, folders first. */
	index: number;
	/** Among the files, from 1. */
	position: number;
	isCursor: boolean;
	isPhone: boolean;
	actions: NodeActions;
}

/** One file: what it is, and Preview or Download; whoever may write finds Delete. */
export function FileRow({ file, index, position, isCursor, isPhone, actions }: FileRowProps) {
	const { name, size, uploadedAt } = file;
	return (
		<div role="row" aria-rowindex={position} className={classes.row} data-row={index} tabIndex={isCursor ? 0 : -1}>
			<div role="gridcell" className={classes.main}>
				<FileIcon name={name} size={isPhone ? 40 : 32} />
				<div className={classes.words}>
					<button type="button" className={classes.name} tabIndex={-1} title={name} onClick={() => actions.open(file)}>
						<bdi>{name}</bdi>
					</button>
					{isPhone && <span className={classes.meta}>{`${formatSize(size)} · ${formatDateTime(uploadedAt)}`}</span>}
				</div>
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
					<PhoneMenu file={file} actions={actions} />
				) : (
					<RowButtons file={file} actions={actions} isPhone={isPhone} />
				)}
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
			{isPreviewed && url !== null && !isPhone && <DownloadIcon name={name} url={url} />}
			{actions.canWrite && (
				<IconButton
					size="small"
					label={m.files_delete_of({ name })}
					icon={<IconTrash {...iconProps} />}
					onClick={() => actions.remove(file)}
				/>
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

function PhoneMenu({ file, actions }: { file: Node; actions: NodeActions }) {
	const { name, url } = file;
	return (
		<Menu position="bottom-end">
			<Menu.Target>
				<IconButton label={m.files_more_of({ name })} icon={<IconDotsVertical {...iconProps} />} />
			</Menu.Target>
			<Menu.Dropdown>
				{mainActionOf(file) === 'preview' && (
					<Menu.Item leftSection={<IconEye {...smallIconProps} />} onClick={() => actions.open(file)}>
						{m.files_preview()}
					</Menu.Item>
				)}
				{url !== null && (
					<Menu.Item leftSection={<IconDownload {...smallIconProps} />} component="a" href={downloadUrl(url)} download>
						{m.files_download()}
					</Menu.Item>
				)}
				<Menu.Item leftSection={<IconTrash {...smallIconProps} />} onClick={() => actions.remove(file)}>
					{m.files_delete()}
				</Menu.Item>
			</Menu.Dropdown>
		</Menu>
	);
}
