// biome-ignore-all lint/a11y/useSemanticElements: a virtual list positions its rows, which a <table> does not allow.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows are focusable instead of cells.
import { Center } from '@mantine/core';
import { IconDownload, IconEye, IconTrash } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { downloadUrl, type Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatDateTime, formatSize } from '#web/platform/formats/format.ts';
import { useLocale } from '#web/platform/formats/locale.ts';
import { FolderIcon } from '#web/ui/illustrations/file-icon.tsx';
import { Button, ButtonAnchor } from '#web/ui/primitives/button.tsx';
import { PlainIconButton } from '#web/ui/primitives/icon-button.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { type NodeActions, NodeMenu } from '../actions/node-menu.tsx';
import { FileThumb } from './file-thumb.tsx';
import classes from './node.module.css';
import { cursorProps, NodeCheckbox, type NodeItemProps, NodeLocation, NodeName } from './node-parts.tsx';

interface NodeRowProps extends NodeItemProps {
	rowIndex: number;
	isPhone: boolean;
	/** Set for a row of `NodeTable`: the text below the name, and the content of the second column. */
	table?: { note: string; aside: ReactNode } | undefined;
}

export const NodeRow = memo(function NodeRow(props: NodeRowProps) {
	useLocale();
	const { node, index, rowIndex, isSelected, isPhone, actions, links, table } = props;
	const rowProps = { role: 'row', 'aria-rowindex': rowIndex + 2, className: classes.row, ...cursorProps(props) };
	if (node === undefined) {
		return (
			<div aria-busy="true" {...rowProps}>
				<div role="gridcell" className={classes.main} aria-label={m.common_loading()}>
					<Skeleton width="32px" height="32px" />
					<Skeleton width="44%" />
				</div>
			</div>
		);
	}
	const { name, size, uploadedAt, folders } = node;
	const canWrite = actions.change !== undefined;
	const { select } = actions;
	// Only in `NodeTable` does Tab move the focus to the checkbox and the name.
	const tabIndex = table === undefined ? -1 : undefined;
	return (
		<div
			data-entry={index}
			draggable={canWrite && !isPhone}
			{...rowProps}
			{...(select && { 'aria-selected': isSelected })}
		>
			<div role="gridcell" className={classes.main}>
				{select && (
					<NodeCheckbox
						name={name}
						isSelected={isSelected}
						onSelect={(isRange) => select(index, isRange)}
						tabIndex={tabIndex}
					/>
				)}
				{node.kind === 'folder' ? (
					<Center component="span" flex="none" w={32}>
						<FolderIcon />
					</Center>
				) : (
					<FileThumb key={node.thumb} file={node} size={isPhone && table === undefined ? 40 : 32} canWrite={canWrite} />
				)}
				<div className={classes.text}>
					<NodeName node={node} actions={actions} links={links} tabIndex={tabIndex} />
					{table !== undefined ? (
						<span className={classes.meta} dir="auto">
							{table.note}
						</span>
					) : isPhone ? (
						<span className={classes.meta}>{`${formatSize(size)} · ${formatDateTime(uploadedAt)}`}</span>
					) : (
						folders !== null && <NodeLocation node={node} folders={folders} links={links} />
					)}
				</div>
				{actions.renderBadge?.(node)}
			</div>
			{table === undefined && !isPhone && (
				<>
					<div role="gridcell" className={classes.size}>
						{formatSize(size)}
					</div>
					<div role="gridcell" className={classes.date}>
						{formatDateTime(uploadedAt)}
					</div>
				</>
			)}
			<div role="gridcell" className={table === undefined ? classes.actions : classes.aside}>
				{table !== undefined ? (
					table.aside
				) : isPhone && canWrite ? (
					<NodeMenu key={node.id} node={node} actions={actions} />
				) : (
					<RowButtons key={node.id} file={node} actions={actions} isPhone={isPhone} />
				)}
			</div>
		</div>
	);
});

function RowButtons({ file, actions, isPhone }: { file: Node; actions: NodeActions; isPhone: boolean }) {
	const { name, url, preview } = file;
	const { change } = actions;
	const isPreviewed = preview !== null;
	return (
		<>
			{isPreviewed && (
				<Button
					variant="quiet"
					size="small"
					aria-label={m.files_preview_of({ name })}
					icon={!isPhone && IconEye}
					onClick={() => actions.open(file)}
				>
					{m.files_preview()}
				</Button>
			)}
			{url !== null && (!isPreviewed || (!isPhone && !change)) && (
				<ButtonAnchor
					variant="quiet"
					size="small"
					aria-label={m.files_download_of({ name })}
					title={isPreviewed ? m.files_download() : undefined}
					icon={!isPhone && IconDownload}
					href={downloadUrl(url)}
					download
				>
					{!isPreviewed && m.files_download()}
				</ButtonAnchor>
			)}
			{change && (
				<>
					<PlainIconButton
						size="small"
						label={m.files_delete_of({ name })}
						title={m.files_delete_of({ name })}
						icon={IconTrash}
						onClick={() => change('remove', [file])}
					/>
					<NodeMenu node={file} actions={actions} />
				</>
			)}
		</>
	);
}
