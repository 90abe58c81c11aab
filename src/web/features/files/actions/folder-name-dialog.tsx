import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, useCallback, useEffect, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { useLastNonNull } from '../../../ui/hooks/latest-value.ts';
import { useInvalidateFiles } from '../api.ts';

/** A node to rename, or the location of a new folder. */
type Purpose = Node | { owner: string; path: string };

/** State of the field with a node's name. Errors are shown beside it, and the typed text is kept. */
export function useNodeName(onDone: (node: Node) => void) {
	const [name, setName] = useState('');
	const [error, setError] = useState<string>();
	const onSuccess = useInvalidateFiles();
	const create = useMutation(api.files.createFolder.mutationOptions({ onSuccess }));
	const rename = useMutation(api.files.rename.mutationOptions({ onSuccess }));
	const isBusy = create.isPending || rename.isPending;
	const change = useCallback((text: string) => {
		setName(text);
		setError(undefined);
	}, []);

	function submit(purpose: Purpose): void {
		if (isBusy) return;
		if (name.trim() === '') {
			setError('id' in purpose && purpose.kind === 'file' ? m.files_name_required() : m.error_folder_name_required());
			return;
		}
		const callbacks = {
			onSuccess: onDone,
			onError: (reason: unknown) => {
				const { fields, message } = describeFailure(reason);
				setError(fields.name ?? message);
			},
		};
		if ('id' in purpose) rename.mutate({ id: purpose.id, name }, callbacks);
		else create.mutate({ ...purpose, name }, callbacks);
	}

	const onChange = (event: ChangeEvent<HTMLInputElement>) => change(event.currentTarget.value);
	return { isBusy, submit, change, fieldProps: { value: name, error, autoComplete: 'off', onChange } };
}

interface FolderNameDialogProps {
	purpose: Purpose | null;
	onClose: () => void;
}

/** Asks for the name of a folder or file. */
export function FolderNameDialog({ purpose, onClose }: FolderNameDialogProps) {
	const shown = useLastNonNull(purpose);
	const isRename = shown !== null && 'id' in shown;
	const isFile = isRename && shown.kind === 'file';
	const { fieldProps, isBusy, submit, change } = useNodeName(onClose);
	useEffect(() => {
		if (purpose !== null) change('id' in purpose ? purpose.name : '');
	}, [purpose, change]);

	return (
		<Dialog
			isOpen={purpose !== null}
			onClose={onClose}
			onSubmit={(event) => {
				event.preventDefault();
				if (purpose !== null) submit(purpose);
			}}
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
				data-autofocus
				onFocus={({ currentTarget }) =>
					// Only while the name is unchanged: when the field is focused again later, the cursor stays where it was.
					isRename &&
					currentTarget.value === shown.name &&
					currentTarget.setSelectionRange(0, stemLength(currentTarget.value, isFile))
				}
				{...fieldProps}
			/>
		</Dialog>
	);
}

/** Number of characters to preselect: a file name without its extension, a whole folder name. */
function stemLength(name: string, isFile: boolean): number {
	const dot = isFile ? name.lastIndexOf('.') : -1;
	return dot > 0 ? dot : name.length;
}
