import { IconRestore, IconTrashX } from '@tabler/icons-react';
import type { TrashedNode } from '#contract/files/files.ts';
import { m } from '#messages';
import { formatDate, formatDateTime, formatSize } from '#web/platform/formats/format.ts';
import { FileIcon, FolderIcon } from '#web/ui/illustrations/file-icon.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps, smallIconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import boxClasses from '../list/node-checkbox.module.css';
import classes from './trash-view.module.css';

interface TrashRowProps {
	node: TrashedNode;
	isBusy: boolean;
	isChosen: boolean;
	onChoose: (isChosen: boolean) => void;
	onRestore: () => void;
	onPurge: () => void;
}

/** An item in the trash: its name and location, when it was deleted, and when it will be purged. */
export function TrashRow({ node, isBusy, isChosen, onChoose, onRestore, onPurge }: TrashRowProps) {
	const { kind, name, folders, size, deletedAt, expiresAt } = node;
	const location = folders.length === 0 ? m.files_at_root() : folders.join(' / ');
	return (
		<li className={classes.row}>
			<span className={classes.main}>
				<input
					type="checkbox"
					className={boxClasses.box}
					checked={isChosen}
					aria-label={m.files_select_of({ name })}
					onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
				/>
				<span className={classes.icon}>{kind === 'folder' ? <FolderIcon /> : <FileIcon name={name} />}</span>
				<bdi className={classes.name} title={name}>
					{name}
				</bdi>
			</span>
			<span className={classes.location} title={location} dir="auto">
				<span className={classes.label}>{m.files_trash_original_folder()}: </span>
				{location}
			</span>
			<span className={classes.size}>{formatSize(size)}</span>
			<span className={classes.date}>
				<span className={classes.label}>{m.files_trash_deleted()}: </span>
				<time dateTime={deletedAt}>{formatDateTime(deletedAt)}</time>
			</span>
			<span className={classes.date}>
				<span className={classes.label}>{m.files_trash_expires()}: </span>
				<time dateTime={expiresAt}>{formatDate(expiresAt)}</time>
			</span>
			<span className={classes.actions}>
				<Button
					size="small"
					variant="quiet"
					aria-label={m.files_restore_of({ name })}
					icon={<IconRestore {...smallIconProps} />}
					disabled={isBusy}
					onClick={onRestore}
				>
					{m.files_restore()}
				</Button>
				<IconButton
					size="small"
					label={m.files_purge_of({ name })}
					icon={<IconTrashX {...iconProps} />}
					onClick={onPurge}
				/>
			</span>
		</li>
	);
}
