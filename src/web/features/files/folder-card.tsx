import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/format.ts';
import { useLocale } from '#web/platform/locale.ts';
import { FolderIcon } from '#web/ui/file-icon.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { EntryBox } from './entry-box.tsx';
import { pathInto } from './file-place.ts';
import classes from './folder-card.module.css';
import type { NodeActions } from './node-actions.ts';
import { NodeMenu } from './node-menu.tsx';
import { type EntryLinks, NodePlace } from './node-place.tsx';

interface FolderCardProps {
	/** Undefined while its page is on the way. */
	folder: Node | undefined;
	index: number;
	isCursor: boolean;
	isSelected: boolean;
	actions: NodeActions;
	links: EntryLinks;
}

/** A folder: its name opens it; whoever may write finds all the rest behind its menu, and drops others into it. */
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
	const path = pathInto(folder);
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
				<EntryBox name={name} index={index} isSelected={isSelected} actions={actions} />
			</span>
			<FolderIcon />
			<div className={classes.words}>
				<Link
					to="."
					search={links.into(folder)}
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
						<NodePlace node={folder} links={links} />
					)}
					{actions.mark?.(folder)}
				</div>
			</div>
			{isSelected && <span className={classes.hidden}>{m.files_selected_one()}</span>}
			<div className={classes.actions}>
				<NodeMenu key={folder.id} node={folder} actions={actions} />
			</div>
		</div>
	);
});
