import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/formats/format.ts';
import { useLocale } from '#web/platform/formats/locale.ts';
import { FolderIcon } from '#web/ui/illustrations/file-icon.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { type NodeActions, NodeMenu } from '../actions/node-menu.tsx';
import { folderPathOf } from '../file-list-query.ts';
import classes from './folder-card.module.css';
import { NodeCheckbox } from './node-checkbox.tsx';
import { type NodeLinks, NodeLocation } from './node-location.tsx';

interface FolderCardProps {
	/** Undefined while its page is loading. */
	folder: Node | undefined;
	index: number;
	isCursor: boolean;
	isSelected: boolean;
	actions: NodeActions;
	links: NodeLinks;
}

/** A folder. Its name opens it; users who may write also get a menu of actions and can drop items on it. */
export const FolderCard = memo(function FolderCard(props: FolderCardProps) {
	useLocale();
	const { folder, index, isCursor, isSelected, actions, links } = props;
	if (folder === undefined) {
		return (
			<div className={classes.card} data-row={index} tabIndex={isCursor ? 0 : -1} aria-busy="true">
				<Skeleton width="26px" height="22px" />
				<Skeleton width="60%" />
			</div>
		);
	}
	const { name, itemCount, folders } = folder;
	const path = folderPathOf(folder);
	return (
		<div
			className={classes.card}
			data-entry={index}
			data-selected={isSelected || undefined}
			data-drop-path={actions.canWrite ? path : undefined}
			data-drop-name={name}
			draggable={actions.canWrite}
		>
			<span className={classes.box}>
				<NodeCheckbox name={name} index={index} isSelected={isSelected} actions={actions} />
			</span>
			<FolderIcon />
			<div className={classes.text}>
				<Link
					to="."
					search={links.toFolder(folder)}
					className={classes.name}
					data-row={index}
					tabIndex={isCursor ? 0 : -1}
					draggable={false}
					title={name}
				>
					<bdi>{name}</bdi>
				</Link>
				<div className={classes.line}>
					{folders === null ? (
						<span className={classes.count}>
							{itemCount === 1 ? m.files_items_one() : m.files_items({ count: formatCount(itemCount) })}
						</span>
					) : (
						<NodeLocation node={folder} links={links} />
					)}
					{actions.renderBadge?.(folder)}
				</div>
			</div>
			{isSelected && <span className={classes.hidden}>{m.files_selected_one()}</span>}
			<div className={classes.actions}>
				<NodeMenu key={folder.id} node={folder} actions={actions} />
			</div>
		</div>
	);
});
