import { Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { CredentialRow } from '#contract/credentials/credentials.ts';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { useUpdateCredentials } from './credentials-api.ts';
import { CredentialInputs } from './credentials-fields.tsx';

interface EditCredentialsDialogProps {
	row: CredentialRow;
	onClose: () => void;
}

/** Changes a record. Mount it to open it; a refusal keeps what was typed. */
export function EditCredentialsDialog({ row, onClose }: EditCredentialsDialogProps) {
	const update = useUpdateCredentials();
	const { record, updatedAt, createdAt: _createdAt, isUnreadable: _isUnreadable, ...fields } = row;
	const [typed, setTyped] = useState(fields);
	const failure = update.isError ? describeFailure(update.error) : undefined;
	const isChanged = JSON.stringify(typed) !== JSON.stringify(fields);

	const submit = (event: FormEvent) => {
		event.preventDefault();
		update.mutate({ ...typed, record, updatedAt }, { onSuccess: onClose });
	};

	return (
		<Dialog
			isOpen
			onClose={onClose}
			title={m.credentials_edit_title()}
			onSubmit={submit}
			isDirty={isChanged}
			footer={
				<>
					<Button onClick={onClose}>{m.common_cancel()}</Button>
					<Button type="submit" variant="primary" disabled={update.isPending}>
						{update.isPending ? m.credentials_saving() : m.credentials_save()}
					</Button>
				</>
			}
		>
			<Stack gap={16}>
				{failure !== undefined && <Notice tone="negative">{failure.message}</Notice>}
				<CredentialInputs typed={typed} errors={failure?.fields ?? {}} onChange={setTyped} isFirstFocused />
			</Stack>
		</Dialog>
	);
}
