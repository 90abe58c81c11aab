import { FileButton } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { m } from '#messages';
import { Button } from '#web/ui/primitives/button.tsx';
import { type PickedFiles, pickFiles, readInputFiles } from './picked-files.ts';

interface UploadButtonProps {
	onUpload: (picked: PickedFiles) => void;
	isQuiet?: boolean;
	isIconOnly?: boolean;
}

export function UploadButton({ onUpload, isQuiet = false, isIconOnly = false }: UploadButtonProps) {
	return (
		<FilePicker onUpload={onUpload}>
			{(open) => (
				<Button
					variant={isQuiet ? 'default' : 'primary'}
					icon={IconUpload}
					aria-label={isIconOnly ? m.files_upload() : undefined}
					onClick={open}
				>
					{!isIconOnly && m.files_upload()}
				</Button>
			)}
		</FilePicker>
	);
}

interface FilePickerProps {
	onUpload: (picked: PickedFiles) => void;
	isFolder?: boolean;
	children: (open: () => void) => ReactNode;
}

export function FilePicker({ onUpload, isFolder = false, children }: FilePickerProps) {
	const reset = useRef<() => void>(null);
	const label = isFolder ? m.uploads_upload_folder() : m.files_upload();
	const attributes = { 'aria-label': label, tabIndex: -1, ...(isFolder && { webkitdirectory: '' }) };
	const open = async (openInput: () => void) => {
		// A folder is chosen with the input, which shows one permission prompt less than a picker that returns handles.
		const picked = isFolder ? null : await pickFiles();
		if (picked === null) openInput();
		else if (picked.files.length > 0) onUpload(picked);
	};
	return (
		<FileButton
			multiple
			inputProps={attributes}
			resetRef={reset}
			onChange={(files) => {
				// Allows choosing the same file again.
				reset.current?.();
				if (files.length > 0) onUpload(readInputFiles(files));
			}}
		>
			{({ onClick }) => children(() => void open(onClick))}
		</FileButton>
	);
}
