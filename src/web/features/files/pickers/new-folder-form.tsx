import { useState } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { useCreateFolder } from '../api.ts';
import { folderPathOf } from '../file-list-query.ts';
import classes from './folder-picker.module.css';

interface NewFolderFormProps {
	target: { owner: string; path: string };
	/** Called with the path of the new folder, or with null when creating is cancelled. */
	onDone: (path: string | null) => void;
}

/** Creates a folder in the picker's current folder. */
export function NewFolderForm({ target, onDone }: NewFolderFormProps) {
	const [name, setName] = useState('');
	const [error, setError] = useState<string>();
	const create = useCreateFolder();

	function submit(): void {
		if (name.trim() === '') {
			setError(m.error_folder_name_required());
			return;
		}
		create.mutate(
			{ ...target, name },
			{
				onSuccess: (folder) => onDone(folderPathOf(folder)),
				onError: (reason) => {
					const { fields, message } = describeFailure(reason);
					setError(fields.name ?? message);
				},
			},
		);
	}

	return (
		<div className={classes.naming}>
			<TextField
				label={m.files_folder_name()}
				value={name}
				error={error}
				autoComplete="off"
				autoFocus
				className={classes.field}
				onChange={(event) => {
					setName(event.currentTarget.value);
					setError(undefined);
				}}
				onKeyDown={(event) => {
					if (event.key === 'Enter') submit();
					else if (event.key === 'Escape') {
						event.stopPropagation();
						onDone(null);
					}
				}}
			/>
			<Button disabled={create.isPending} onClick={submit}>
				{create.isPending ? m.files_creating() : m.files_create()}
			</Button>
		</div>
	);
}
