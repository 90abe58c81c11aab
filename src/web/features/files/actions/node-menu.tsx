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

/** Everything that can be done with one entry. The menu itself is made when it is opened. */
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
 * What can be done with the entries of a folder; `canWrite` is the server's word, never derived from a role. The same
 * object for as long as that word stands, so that rows are not drawn anew.
 */
export interface NodeActions {
	canWrite: boolean;
	/** Previews or downloads a file. */
	open: (node: Node) => void;
	rename: (node: Node) => void;
	move: (nodes: Node[]) => void;
	copy: (nodes: Node[]) => void;
	remove: (nodes: Node[]) => void;
	/** Undefined where nothing is shared from. */
	share: ((nodes: Node[]) => void) | undefined;
	/** What stands beside a name: whether it is shared. */
	renderBadge: ((node: Node) => ReactNode) | undefined;
	/** Takes the entry at a place into the selection or out of it; with `isRange`, everything up to it. */
	select: (index: number, isRange: boolean) => void;
}
