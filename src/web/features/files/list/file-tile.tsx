import { memo } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatDateTime, formatSize } from '#web/platform/formats/format.ts';
import { useLocale } from '#web/platform/formats/locale.ts';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { type NodeActions, NodeMenu } from '../actions/node-menu.tsx';
import { FileThumb } from './file-thumb.tsx';
import classes from './file-tile.module.css';
import { NodeCheckbox } from './node-checkbox.tsx';
import { type NodeLinks, NodeLocation } from './node-location.tsx';

interface FileTileProps {
	/** Undefined while its page is loading. */
	file: Node | undefined;
	index: number;
	isCursor: boolean;
	isSelected: boolean;
	actions: NodeActions;
	links: NodeLinks;
}

/** One file in the grid: its thumbnail, its name, and a menu with all actions. */
export const FileTile = memo(function FileTile({ file, index, isCursor, isSelected, actions, links }: FileTileProps) {
	useLocale();
	if (file === undefined) {
		return (
			<div className={classes.tile} data-row={index} tabIndex={isCursor ? 0 : -1} aria-busy="true">
				<Skeleton height="100%" />
			</div>
		);
	}
	const { name, size, uploadedAt } = file;
	return (
		<div
			className={classes.tile}
			data-entry={index}
			data-selected={isSelected || undefined}
			draggable={actions.canWrite}
		>
			<div className={classes.picture}>
				<FileThumb file={file} size={72} canWrite={actions.canWrite} isFilling />
			</div>
			<div className={classes.text}>
				<button
					type="button"
					className={classes.name}
					data-row={index}
					tabIndex={isCursor ? 0 : -1}
					title={name}
					onClick={() => actions.open(file)}
				>
					<bdi>{name}</bdi>
				</button>
				<div className={classes.line}>
					{file.folders === null ? (
						<span className={classes.meta} title={formatDateTime(uploadedAt)}>
							{formatSize(size)}
						</span>
					) : (
						<NodeLocation node={file} links={links} />
					)}
					{actions.renderBadge?.(file)}
				</div>
			</div>
			<div className={classes.menu}>
				<NodeMenu key={file.id} node={file} actions={actions} />
			</div>
			<div className={classes.box}>
				<NodeCheckbox name={name} index={index} isSelected={isSelected} actions={actions} />
			</div>
			{isSelected && <span className={classes.hidden}>{m.files_selected_one()}</span>}
		</div>
	);
});
