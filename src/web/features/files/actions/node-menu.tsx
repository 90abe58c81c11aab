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
import { type ReactNode, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { iconProps, smallIconProps } from '#web/ui/primitives/icon.ts';
import { PlainIconButton } from '../../../ui/primitives/icon-button.tsx';
import { downloadUrl, mainActionOf } from '../preview/preview-file.ts';
import classes from './node-menu.module.css';
import { ZipMenuItem } from './zip-download.tsx';

/** The menu with all actions for one node. Its content is rendered only when the menu is opened. */
export function NodeMenu({ node, actions }: { node: Node; actions: NodeActions }) {
	const [isOpen, setOpen] = useState(false);
	return (
		<span className={classes.anchor}>
			<PlainIconButton
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
						<MenuItems node={node} actions={actions} />
					</Menu.Dropdown>
				</Menu>
			)}
		</span>
	);
}

function MenuItems({ node, actions }: { node: Node; actions: NodeActions }) {
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
			{kind === 'folder' && <ZipMenuItem id={node.id} />}
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

/**
 * The actions for the nodes of a folder. `canWrite` comes from the server and is never derived from a role. The object
 * keeps its identity while nothing changes, so that rows do not render again.
 */
export interface NodeActions {
	canWrite: boolean;
	/** Previews or downloads a file. */
	open: (node: Node) => void;
	rename: (node: Node) => void;
	move: (nodes: Node[]) => void;
	copy: (nodes: Node[]) => void;
	remove: (nodes: Node[]) => void;
	/** Undefined where sharing is not offered. */
	share: ((nodes: Node[]) => void) | undefined;
	/** Rendered beside a name; shows whether the node is shared. */
	renderBadge: ((node: Node) => ReactNode) | undefined;
	/** Toggles the selection of the node at an index; with `isRange`, selects everything up to it. */
	select: (index: number, isRange: boolean) => void;
}
