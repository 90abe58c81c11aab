import { IconUpload } from '@tabler/icons-react';
import { type InputHTMLAttributes, type ReactNode, useRef } from 'react';
import { m } from '#messages';
import { Button } from '#web/ui/primitives/button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import classes from '../manager/file-manager.module.css';
import { pickFiles } from './file-system-access.ts';
import { type PickedFiles, readInputFiles } from './picked-files.ts';

interface UploadButtonProps {
	onUpload: (picked: PickedFiles) => void;
	isQuiet?: boolean;
	isIconOnly?: boolean;
}

/** Chooses files to upload. */
export function UploadButton({ onUpload, isQuiet = false, isIconOnly = false }: UploadButtonProps) {
	return (
		<FilePicker label={m.files_upload()} onUpload={onUpload}>
			{(open) => (
				<Button
					variant={isQuiet ? 'default' : 'primary'}
					icon={<IconUpload {...iconProps} />}
					aria-label={isIconOnly ? m.files_upload() : undefined}
					onClick={open}
				>
					{!isIconOnly && m.files_upload()}
				</Button>
			)}
		</FilePicker>
	);
}

/** Chooses a folder to upload with its content; `children` renders the control that opens the picker. */
export function UploadFolderPicker({ onUpload, children }: Pick<FilePickerProps, 'onUpload' | 'children'>) {
	return (
		<FilePicker label={m.uploads_upload_folder()} onUpload={onUpload} isFolder>
			{children}
		</FilePicker>
	);
}

interface FilePickerProps {
	label: string;
	onUpload: (picked: PickedFiles) => void;
	isFolder?: boolean;
	children: (open: () => void) => ReactNode;
}

function FilePicker({ label, onUpload, isFolder = false, children }: FilePickerProps) {
	const input = useRef<HTMLInputElement>(null);
	// React's types do not include this attribute.
	const folder = (isFolder ? { webkitdirectory: '' } : {}) as InputHTMLAttributes<HTMLInputElement>;
	const open = async () => {
		// For a folder, the input gives all files and their folders without further permission.
		const picked = isFolder ? null : await pickFiles();
		if (picked === null) input.current?.click();
		else if (picked.length > 0) onUpload({ files: picked.map((each) => ({ ...each, folders: [] })), emptyFolders: [] });
	};
	return (
		<>
			{children(() => void open())}
			<input
				ref={input}
				type="file"
				multiple
				{...folder}
				className={classes.input}
				tabIndex={-1}
				aria-label={label}
				onChange={({ currentTarget }) => {
					const picked = readInputFiles(currentTarget.files ?? []);
					// Lets the same file be chosen again.
					currentTarget.value = '';
					if (picked.files.length > 0) onUpload(picked);
				}}
			/>
		</>
	);
}
