import { IconDotsVertical, IconFolderPlus, IconFolderUp, IconShare2, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { m } from '#messages';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { MenuButton } from '#web/ui/overlays/dropdown-buttons.tsx';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import type { PickedFiles } from '../upload-sources/picked-files.ts';
import { FilePicker, UploadButton } from '../upload-sources/upload-button.tsx';
import { isReservedSpace } from './file-breadcrumb.tsx';

interface FolderActionsProps {
	owner: string;
	onCreate: () => void;
	onUpload: (picked: PickedFiles) => void;
}

export function FolderActions({ owner, onCreate, onUpload }: FolderActionsProps) {
	const isPhone = useIsPhone();
	const links = [
		...(isReservedSpace(owner)
			? []
			: [{ label: m.sharing_share_files(), Icon: IconShare2, to: '/shared', search: { email: owner } }]),
		{ label: m.files_trash(), Icon: IconTrash, to: `/user/${encodeURIComponent(owner)}`, search: { trash: '' } },
	];
	return (
		<FilePicker onUpload={onUpload} isFolder>
			{(openFolder) => {
				const buttons = [
					{ label: m.files_new_folder(), Icon: IconFolderPlus, onClick: onCreate },
					{ label: m.uploads_upload_folder(), Icon: IconFolderUp, onClick: openFolder },
				];
				if (!isPhone) {
					return (
						<>
							{links.map(({ label, Icon, ...link }) => (
								<ButtonLink key={label} variant="quiet" icon={Icon} {...link}>
									{label}
								</ButtonLink>
							))}
							{buttons.map(({ label, Icon, onClick }) => (
								<Button key={label} icon={Icon} onClick={onClick}>
									{label}
								</Button>
							))}
							<UploadButton onUpload={onUpload} />
						</>
					);
				}
				return (
					<>
						<UploadButton onUpload={onUpload} isIconOnly />
						<MenuButton
							position="bottom-end"
							label={m.files_more()}
							button={(props) => <IconButton label={m.files_more()} icon={IconDotsVertical} {...props} />}
						>
							{(Menu) => (
								<>
									{buttons.map(({ label, Icon, onClick }) => (
										<Menu.Item key={label} leftSection={<Icon {...smallIconProps} />} onClick={onClick}>
											{label}
										</Menu.Item>
									))}
									{links.map(({ label, Icon, ...link }) => (
										<Menu.Item
											key={label}
											leftSection={<Icon {...smallIconProps} />}
											renderRoot={(props) => <Link {...props} {...link} />}
										>
											{label}
										</Menu.Item>
									))}
								</>
							)}
						</MenuButton>
					</>
				);
			}}
		</FilePicker>
	);
}
