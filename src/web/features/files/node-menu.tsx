import { Menu } from '@mantine/core';
import {
	IconCopy,
	IconDotsVertical,
	IconDownload,
	IconEye,
	IconFolderSymlink,
	IconPencil,
	IconShare2,
	IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { iconProps, smallIconProps } from '#web/ui/icon.ts';
import { ArchiveItem } from './archive-link.tsx';
import { downloadUrl, mainActionOf } from './file-preview.ts';
import type { NodeActions } from './node-actions.ts';
import classes from './node-menu.module.css';
import { RowButton } from './row-button.tsx';

/** Everything that can be done with one entry. The menu itself is made when it is opened. */
export function NodeMenu({ node, actions }: { node: Node; actions: NodeActions }) {
	const [isOpen, setOpen] = useState(false);
	return (
		<span className={classes.anchor}>
			<RowButton
				label={m.files_more_of({ name: node.name })}
				icon={<IconDotsVertical {...iconProps} />}
				onClick={() => setOpen(true)}
				hasMenu
				isOpen={isOpen}
			/>
			{isOpen && (
				<Menu opened onChange={setOpen} position="bottom-end" transitionProps={{ duration: 0 }}>
					<Menu.Target>
						<span className={classes.target} aria-hidden="true" />
					</Menu.Target>
					<Menu.Dropdown aria-label={m.files_more_of({ name: node.name })}>
						<Items node={node} actions={actions} />
					</Menu.Dropdown>
				</Menu>
			)}
		</span>
	);
}

function Items({ node, actions }: { node: Node; actions: NodeActions }) {
	const { kind, url } = node;
	return (
		<>
			{kind === 'file' && mainActionOf(node) === 'preview' && (
				<Menu.Item leftSection={<IconEye {...smallIconProps} />} onClick={() => actions.open(node)}>
					{m.files_preview()}
				</Menu.Item>
			)}
			{url !== null && (
				<Menu.Item leftSection={<IconDownload {...smallIconProps} />} component="a" href={downloadUrl(url)} download>
					{m.files_download()}
				</Menu.Item>
			)}
			{kind === 'folder' && <ArchiveItem id={node.id} />}
			{actions.share !== undefined && (
				<Menu.Item leftSection={<IconShare2 {...smallIconProps} />} onClick={() => actions.share?.([node])}>
					{m.sharing_share()}
				</Menu.Item>
			)}
			{actions.canWrite && (
				<>
					<Menu.Item leftSection={<IconPencil {...smallIconProps} />} onClick={() => actions.rename(node)}>
						{m.files_edit()}
					</Menu.Item>
					<Menu.Item leftSection={<IconFolderSymlink {...smallIconProps} />} onClick={() => actions.move([node])}>
						{m.files_move()}
					</Menu.Item>
					<Menu.Item leftSection={<IconCopy {...smallIconProps} />} onClick={() => actions.copy([node])}>
						{m.files_copy()}
					</Menu.Item>
					<Menu.Item leftSection={<IconTrash {...smallIconProps} />} onClick={() => actions.remove([node])}>
						{m.files_delete()}
					</Menu.Item>
				</>
			)}
		</>
	);
}
