import { type ChangeEvent, useCallback, useEffect, useState } from 'react';
import type { Node } from '#contract/files/files.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { useLastNonNull } from '../../../ui/hooks/latest-value.ts';

type Purpose = Node | { owner: string; path: string };

/** State of the field for a node's name. After an error, the typed text stays in the field. */
export function useNodeName(onDone: (node: Node) => void) {
	const [name, setName] = useState('');
	const [error, setError] = useState<string>();
	const save = useChange(
		(purpose: Purpose) =>
			'id' in purpose ? client.files.rename({ id: purpose.id, name }) : client.files.createFolder({ ...purpose, name }),
		{
			refetch: [api.files.key()],
			onError: ({ fields, message }) => setError(fields.name ?? message),
		},
	);
	const isBusy = save.isPending;
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
		save.mutate(purpose, { onSuccess: onDone });
	}

	const onChange = (event: ChangeEvent<HTMLInputElement>) => change(event.currentTarget.value);
	return { isBusy, submit, change, fieldProps: { value: name, error, autoComplete: 'off', onChange } };
}

export function FolderNameDialog({ purpose, onClose }: { purpose: Purpose | null; onClose: () => void }) {
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
			onSubmit={() => purpose !== null && submit(purpose)}
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
					// Only while the name is unchanged; otherwise, focusing the field again would move the cursor.
					isRename &&
					currentTarget.value === shown.name &&
					currentTarget.setSelectionRange(0, stemLength(currentTarget.value, isFile))
				}
				{...fieldProps}
			/>
		</Dialog>
	);
}

/** Returns the number of characters to preselect: a file name without its extension, or a whole folder name. */
function stemLength(name: string, isFile: boolean): number {
	const dot = isFile ? name.lastIndexOf('.') : -1;
	return dot > 0 ? dot : name.length;
}
