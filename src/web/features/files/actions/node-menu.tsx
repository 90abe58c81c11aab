import { Menu } from '@mantine/core';
import {
	type Icon,
	IconCopy,
	IconDotsVertical,
	IconDownload,
	IconEye,
	IconFileZip,
	IconFolderSymlink,
	IconPencil,
	IconShare2,
	IconTrash,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { type Node, zipDownloadUrl } from '#contract/files/files.ts';
import { m } from '#messages';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { PlainIconButton } from '../../../ui/primitives/icon-button.tsx';
import classes from '../list/node.module.css';
import { downloadUrl, mainActionOf } from '../preview/preview-file.ts';

/** The menu with all actions for one node. Its content is rendered only when the menu is opened. */
export function NodeMenu({ node, actions }: { node: Node; actions: NodeActions }) {
	const [isOpen, setOpen] = useState(false);
	return (
		<span className={classes.menuAnchor}>
			<PlainIconButton
				label={m.files_more_of({ name: node.name })}
				icon={IconDotsVertical}
				onClick={() => setOpen(true)}
				hasMenu
				isOpen={isOpen}
			/>
			{isOpen && (
				<Menu opened onChange={setOpen} position="bottom-end" transitionProps={{ duration: 0 }}>
					<Menu.Target>
						<span className={classes.menuTarget} aria-hidden="true" />
					</Menu.Target>
					<Menu.Dropdown aria-label={m.files_more_of({ name: node.name })}>
						<MenuItems node={node} actions={actions} />
					</Menu.Dropdown>
				</Menu>
			)}
		</span>
	);
}

function MenuItems({ node, actions }: { node: Node; actions: NodeActions }) {
	const { kind, url } = node;
	const { open, share, write } = actions;
	const item = (label: string, Drawing: Icon, onClick: () => void) => (
		<Menu.Item leftSection={<Drawing {...smallIconProps} />} onClick={onClick}>
			{label}
		</Menu.Item>
	);
	const download = (label: string, Drawing: Icon, href: string) => (
		<Menu.Item leftSection={<Drawing {...smallIconProps} />} component="a" href={href} download>
			{label}
		</Menu.Item>
	);
	return (
		<>
			{kind === 'file' && mainActionOf(node) === 'preview' && item(m.files_preview(), IconEye, () => open(node))}
			{url !== null && download(m.files_download(), IconDownload, downloadUrl(url))}
			{kind === 'folder' && download(m.zip_download(), IconFileZip, zipDownloadUrl([node.id]))}
			{share && item(m.sharing_share(), IconShare2, () => share([node]))}
			{write && (
				<>
					{item(m.files_edit(), IconPencil, () => write.rename(node))}
					{item(m.files_move(), IconFolderSymlink, () => write.move([node]))}
					{item(m.files_copy(), IconCopy, () => write.copy([node]))}
					{item(m.files_delete(), IconTrash, () => write.remove([node]))}
				</>
			)}
		</>
	);
}

/**
 * The actions for the nodes of a folder. `write` comes from the server and is never derived from a role. The object
 * keeps its identity while nothing changes, so that rows do not render again.
 */
export interface NodeActions {
	open: (node: Node) => void;
	/** Undefined if the user may only read. */
	write?: {
		rename: (node: Node) => void;
		move: (nodes: Node[]) => void;
		copy: (nodes: Node[]) => void;
		remove: (nodes: Node[]) => void;
	};
	share?: ((nodes: Node[]) => void) | undefined;
	/** Rendered beside a name; shows whether the node is shared. */
	renderBadge?: ((node: Node) => ReactNode) | undefined;
	/** Toggles the selection of the node at an index; with `isRange`, selects everything up to it. */
	select: (index: number, isRange: boolean) => void;
}
