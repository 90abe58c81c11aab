import { type FormEvent, useEffect, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { useLastNonNull } from '../../../ui/hooks/latest-value.ts';
import { useCreateFolder, useRenameNode } from '../api.ts';

/** A node to rename, or the location of a new folder. */
type Purpose = Node | { owner: string; path: string };

interface FolderNameDialogProps {
	/** Null while the dialog is closed. */
	purpose: Purpose | null;
	onClose: () => void;
}

/** Asks for the name of a folder or file. Errors are shown beside the field, and the typed text is kept. */
export function FolderNameDialog({ purpose, onClose }: FolderNameDialogProps) {
	const shown = useLastNonNull(purpose);
	const isRename = shown !== null && 'id' in shown;
	const isFile = isRename && shown.kind === 'file';
	const [name, setName] = useState('');
	const [error, setError] = useState<string>();
	const create = useCreateFolder();
	const rename = useRenameNode();
	const isBusy = create.isPending || rename.isPending;

	useEffect(() => {
		if (purpose === null) return;
		setName('id' in purpose ? purpose.name : '');
		setError(undefined);
	}, [purpose]);

	function submit(event: FormEvent): void {
		event.preventDefault();
		if (purpose === null || isBusy) return;
		if (name.trim() === '') {
			setError(isFile ? m.files_name_required() : m.error_folder_name_required());
			return;
		}
		const callbacks = {
			onSuccess: onClose,
			onError: (reason: unknown) => {
				const { fields, message } = describeFailure(reason);
				setError(fields.name ?? message);
			},
		};
		if ('id' in purpose) rename.mutate({ id: purpose.id, name }, callbacks);
		else create.mutate({ ...purpose, name }, callbacks);
	}

	return (
		<Dialog
			isOpen={purpose !== null}
			onClose={onClose}
			onSubmit={submit}
			title={isFile ? m.files_rename_file() : isRename ? m.files_rename_folder() : m.files_new_folder()}
			width={440}
			footer={
				<>
					<Button onClick={onClose}>{m.common_cancel()}</Button>
					<Button variant="primary" type="submit" disabled={isBusy}>
						{isRename ? (isBusy ? m.files_saving() : m.files_save()) : isBusy ? m.files_creating() : m.files_create()}
					</Button>
				</>
			}
		>
			<TextField
				label={isFile ? m.files_file_name() : m.files_folder_name()}
				value={name}
				error={error}
				autoComplete="off"
				data-autofocus
				onFocus={({ currentTarget }) =>
					// Only while the name is unchanged: when the field is focused again later, the cursor stays where it was.
					isRename &&
					currentTarget.value === shown.name &&
					currentTarget.setSelectionRange(0, stemLength(currentTarget.value, isFile))
				}
				onChange={(event) => {
					setName(event.currentTarget.value);
					setError(undefined);
				}}
			/>
		</Dialog>
	);
}

/** Number of characters to preselect: a file name without its extension, a whole folder name. */
function stemLength(name: string, isFile: boolean): number {
	const dot = isFile ? name.lastIndexOf('.') : -1;
	return dot > 0 ? dot : name.length;
}
