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
import type { ReactNode } from 'react';
import { downloadUrl, type Node, zipDownloadUrl } from '#contract/files/files.ts';
import { m } from '#messages';
import { MenuButton } from '#web/ui/overlays/dropdown-buttons.tsx';
import type { Overlays } from '#web/ui/overlays/overlays-on-demand.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { PlainIconButton } from '#web/ui/primitives/icon-button.tsx';
import type { NodeDialogState } from './node-dialog.tsx';

export function NodeMenu({ node, actions }: { node: Node; actions: NodeActions }) {
	const label = m.files_more_of({ name: node.name });
	return (
		<MenuButton
			position="bottom-end"
			label={label}
			transitionProps={{ duration: 0 }}
			button={(props) => (
				<PlainIconButton size="small" label={label} title={label} icon={IconDotsVertical} {...props} />
			)}
		>
			{(Menu) => <MenuItems Menu={Menu} node={node} actions={actions} />}
		</MenuButton>
	);
}

interface MenuItemsProps extends Pick<Overlays, 'Menu'> {
	node: Node;
	actions: NodeActions;
}

function MenuItems({ Menu, node, actions }: MenuItemsProps) {
	const { kind, url, preview } = node;
	const { open, share, change } = actions;
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
			{preview !== null && item(m.files_preview(), IconEye, () => open(node))}
			{url !== null && download(m.files_download(), IconDownload, downloadUrl(url))}
			{kind === 'folder' && download(m.zip_download(), IconFileZip, zipDownloadUrl([node.id]))}
			{share && item(m.sharing_share(), IconShare2, () => share([node]))}
			{change && (
				<>
					{item(m.files_edit(), IconPencil, () => change('rename', [node]))}
					{item(m.files_move(), IconFolderSymlink, () => change('move', [node]))}
					{item(m.files_copy(), IconCopy, () => change('copy', [node]))}
					{item(m.files_delete(), IconTrash, () => change('remove', [node]))}
				</>
			)}
		</>
	);
}

/** The server's response decides whether `change` is defined. Must be stable, so that rows do not render again. */
export interface NodeActions {
	open: (node: Node) => void;
	/** Opens the dialog for renaming, moving, copying or deleting nodes. Undefined if the user may only read. */
	change?: ((kind: NodeDialogState['kind'], nodes: Node[]) => void) | undefined;
	share?: ((nodes: Node[]) => void) | undefined;
	renderBadge?: ((node: Node) => ReactNode) | undefined;
	/** Selects or deselects the node at `index`. With `isRange`, selects all nodes from the anchor to `index`. */
	select?: ((index: number, isRange: boolean) => void) | undefined;
}
