import { Menu } from '@mantine/core';
import { IconDotsVertical, IconFolderPlus, IconFolderUp, IconShare2, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { m } from '#messages';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { iconProps, smallIconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import type { PickedFiles } from '../upload-sources/picked-files.ts';
import { UploadButton, UploadFolderPicker } from '../upload-sources/upload-button.tsx';

interface FolderActionsProps {
	/** Owner of the space. */
	owner: string;
	onCreate: () => void;
	onUpload: (picked: PickedFiles) => void;
}

/** The actions of a folder; on a phone all but the upload are in a menu. */
export function FolderActions({ owner, onCreate, onUpload }: FolderActionsProps) {
	const isPhone = useIsPhone();
	// The reserved spaces belong to no user, and nothing is shared with them.
	const shares = ['guest', 'book'].includes(owner.toLowerCase())
		? undefined
		: { to: '/shared', search: { email: owner } };
	const trash = { to: `/user/${encodeURIComponent(owner)}`, search: { trash: '' } };
	if (isPhone) {
		return (
			<UploadFolderPicker onUpload={onUpload}>
				{(openFolder) => (
					<>
						<UploadButton onUpload={onUpload} isIconOnly />
						<Menu position="bottom-end">
							<Menu.Target>
								<IconButton label={m.files_more()} icon={<IconDotsVertical {...iconProps} />} />
							</Menu.Target>
							<Menu.Dropdown aria-label={m.files_more()}>
								<Menu.Item leftSection={<IconFolderPlus {...smallIconProps} />} onClick={onCreate}>
									{m.files_new_folder()}
								</Menu.Item>
								<Menu.Item leftSection={<IconFolderUp {...smallIconProps} />} onClick={openFolder}>
									{m.uploads_upload_folder()}
								</Menu.Item>
								{shares && (
									<Menu.Item
										leftSection={<IconShare2 {...smallIconProps} />}
										renderRoot={(props) => <Link {...props} {...shares} />}
									>
										{m.sharing_share_files()}
									</Menu.Item>
								)}
								<Menu.Item
									leftSection={<IconTrash {...smallIconProps} />}
									renderRoot={(props) => <Link {...props} {...trash} />}
								>
									{m.files_trash()}
								</Menu.Item>
							</Menu.Dropdown>
						</Menu>
					</>
				)}
			</UploadFolderPicker>
		);
	}
	return (
		<>
			{shares && (
				<ButtonLink variant="quiet" {...shares} icon={<IconShare2 {...iconProps} />}>
					{m.sharing_share_files()}
				</ButtonLink>
			)}
			<ButtonLink variant="quiet" {...trash} icon={<IconTrash {...iconProps} />}>
				{m.files_trash()}
			</ButtonLink>
			<Button icon={<IconFolderPlus {...iconProps} />} onClick={onCreate}>
				{m.files_new_folder()}
			</Button>
			<UploadFolderPicker onUpload={onUpload}>
				{(openFolder) => (
					<Button icon={<IconFolderUp {...iconProps} />} onClick={openFolder}>
						{m.uploads_upload_folder()}
					</Button>
				)}
			</UploadFolderPicker>
			<UploadButton onUpload={onUpload} />
		</>
	);
}
