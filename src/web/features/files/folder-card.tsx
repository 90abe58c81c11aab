import { Menu } from '@mantine/core';
import { IconDotsVertical, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatCount } from '#web/platform/format.ts';
import { FolderIcon } from '#web/ui/file-icon.tsx';
import { iconProps, smallIconProps } from '#web/ui/icon.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import classes from './folder-card.module.css';
import type { NodeActions } from './node-actions.ts';

interface FolderCardProps {
	folder: Node;
	index: number;
	isCursor: boolean;
	/** Search parameters that open the folder. */
	search: Record<string, string>;
	actions: NodeActions;
}

/** A folder: its name opens it; whoever may write finds Edit and Delete here. */
export function FolderCard({ folder, index, isCursor, search, actions }: FolderCardProps) {
	const { name, itemCount } = folder;
	return (
		<li className={classes.card}>
			<FolderIcon />
			<div className={classes.words}>
				<Link
					to="."
					search={search}
					className={classes.name}
					data-row={index}
					tabIndex={isCursor ? 0 : -1}
					title={name}
				>
					<bdi>{name}</bdi>
				</Link>
				<span className={classes.count}>
					{itemCount === 1 ? m.files_items_one() : m.files_items({ count: formatCount(itemCount) })}
				</span>
			</div>
			{actions.canWrite && (
				<div className={classes.actions}>
					<Menu position="bottom-end">
						<Menu.Target>
							<IconButton size="small" label={m.files_more_of({ name })} icon={<IconDotsVertical {...iconProps} />} />
						</Menu.Target>
						<Menu.Dropdown>
							<Menu.Item leftSection={<IconPencil {...smallIconProps} />} onClick={() => actions.rename(folder)}>
								{m.files_edit()}
							</Menu.Item>
							<Menu.Item leftSection={<IconTrash {...smallIconProps} />} onClick={() => actions.remove(folder)}>
								{m.files_delete()}
							</Menu.Item>
						</Menu.Dropdown>
					</Menu>
				</div>
			)}
		</li>
	);
}
