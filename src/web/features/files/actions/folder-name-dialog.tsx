import { type ChangeEvent, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';

type Purpose = Node | { owner: string; path: string };

export function useNodeName(purpose: Purpose, onDone: (node: Node) => void) {
	const isRename = 'id' in purpose;
	const [name, setName] = useState(isRename ? purpose.name : '');
	const [error, setError] = useState<string>();
	const save = useChange(
		() => (isRename ? client.files.rename({ id: purpose.id, name }) : client.files.createFolder({ ...purpose, name })),
		{
			refetch: [api.files.key()],
			onError: ({ fields, message }) => setError(fields.name ?? message),
		},
	);
	const isBusy = save.isPending;

	function submit(): void {
		if (isBusy) return;
		if (name.trim() !== '') save.mutate(undefined, { onSuccess: onDone });
		else setError(isRename && purpose.kind === 'file' ? m.files_name_required() : m.error_folder_name_required());
	}

	const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
		setName(currentTarget.value);
		setError(undefined);
	};
	return { isBusy, submit, fieldProps: { value: name, error, autoComplete: 'off', onChange } };
}

export function FolderNameDialog({ purpose, onClose }: { purpose: Purpose; onClose: () => void }) {
	const isRename = 'id' in purpose;
	const isFile = isRename && purpose.kind === 'file';
	const { fieldProps, isBusy, submit } = useNodeName(purpose, onClose);
	return (
		<Dialog
			onClose={onClose}
			onSubmit={submit}
			title={isFile ? m.files_rename_file() : isRename ? m.files_rename_folder() : m.files_new_folder()}
			width={440}
			submitButton={{
				label: isRename ? (isBusy ? m.files_saving() : m.files_save()) : isBusy ? m.files_creating() : m.files_create(),
				isBusy,
			}}
		>
			<TextField
				label={isFile ? m.files_file_name() : m.files_folder_name()}
				data-autofocus
				onFocus={({ currentTarget }) =>
					// The name is selected only while it is unchanged. Later, focusing the field must not move the cursor.
					isRename &&
					currentTarget.value === purpose.name &&
					currentTarget.setSelectionRange(0, stemLength(currentTarget.value, isFile))
				}
				{...fieldProps}
			/>
		</Dialog>
	);
}

/** Returns the length of a file name without extension, or of a whole folder name. */
function stemLength(name: string, isFile: boolean): number {
	const dot = isFile ? name.lastIndexOf('.') : -1;
	return dot > 0 ? dot : name.length;
}
