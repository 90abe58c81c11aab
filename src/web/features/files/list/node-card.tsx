import { memo } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatDateTime, formatSize } from '#web/platform/formats/format.ts';
import { useLocale } from '#web/platform/formats/locale.ts';
import { FolderIcon } from '#web/ui/illustrations/file-icon.tsx';
import textClasses from '#web/ui/primitives/text.module.css';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { NodeMenu } from '../actions/node-menu.tsx';
import { folderPathOf } from '../file-list-query.ts';
import { FileThumb } from './file-thumb.tsx';
import classes from './node.module.css';
import { cursorProps, itemCountText, NodeCheckbox, type NodeItemProps, NodeLocation, NodeName } from './node-parts.tsx';

/** A folder's card, or a file's tile in the grid. */
export const NodeCard = memo(function NodeCard(props: NodeItemProps & { kind: Node['kind'] }) {
	useLocale();
	const { kind, node, index, isSelected, actions, links } = props;
	const isFolder = kind === 'folder';
	const className = isFolder ? classes.card : classes.tile;
	if (node === undefined) {
		return (
			<div className={className} aria-busy="true" {...cursorProps(props)}>
				{isFolder && <Skeleton width="26px" height="22px" />}
				{isFolder ? <Skeleton width="60%" /> : <Skeleton height="100%" />}
			</div>
		);
	}
	const { name, folders } = node;
	const canWrite = actions.change !== undefined;
	const onSelect = (isRange: boolean) => actions.select?.(index, isRange);
	return (
		<div
			className={className}
			data-entry={index}
			data-selected={isSelected || undefined}
			draggable={canWrite}
			{...(isFolder && { 'data-drop-path': canWrite ? folderPathOf(node) : undefined, 'data-drop-name': name })}
		>
			<span className={classes.box}>
				<NodeCheckbox name={name} isSelected={isSelected} onSelect={onSelect} tabIndex={-1} />
			</span>
			{isFolder ? (
				<FolderIcon />
			) : (
				<div className={classes.picture}>
					<FileThumb key={node.thumb} file={node} size={72} canWrite={canWrite} isFilling />
				</div>
			)}
			<div className={classes.text}>
				<NodeName node={node} actions={actions} links={links} {...cursorProps(props)} />
				<div className={classes.line}>
					{folders !== null ? (
						<NodeLocation node={node} folders={folders} links={links} />
					) : isFolder ? (
						<span>{itemCountText(node.itemCount)}</span>
					) : (
						<span title={formatDateTime(node.uploadedAt)}>{formatSize(node.size)}</span>
					)}
					{actions.renderBadge?.(node)}
				</div>
			</div>
			{isSelected && <span className={textClasses.hidden}>{m.files_selected_one()}</span>}
			<div className={classes.menu}>
				<NodeMenu key={node.id} node={node} actions={actions} />
			</div>
		</div>
	);
});
