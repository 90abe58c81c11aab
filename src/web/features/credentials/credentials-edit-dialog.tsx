import { Stack } from '@mantine/core';
import { useState } from 'react';
import type { CredentialRow } from '#contract/credentials/credentials.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { CredentialInputs } from './credentials-fields.tsx';

/** Opens on mount. Keeps the input if saving fails. */
export function EditCredentialsDialog({ row, onClose }: { row: CredentialRow; onClose: () => void }) {
	const update = useChange(client.credentials.update, {
		refetch: [api.credentials.list.key()],
		onSuccess: () => toastSuccess(m.credentials_saved()),
		onError: shownInForm,
	});
	const { record, updatedAt, createdAt: _createdAt, isUnreadable: _isUnreadable, ...fields } = row;
	const [typed, setTyped] = useState(fields);
	const { failure } = update;
	const isChanged = JSON.stringify(typed) !== JSON.stringify(fields);

	return (
		<Dialog
			onClose={onClose}
			title={m.credentials_edit_title()}
			onSubmit={() => update.mutate({ ...typed, record, updatedAt }, { onSuccess: onClose })}
			isDirty={isChanged}
			submitButton={{
				label: update.isPending ? m.credentials_saving() : m.credentials_save(),
				isBusy: update.isPending,
			}}
		>
			<Stack gap={16}>
				{failure !== undefined && <Notice tone="negative">{failure.message}</Notice>}
				<CredentialInputs typed={typed} errors={failure?.fields ?? {}} onChange={setTyped} isFirstFocused />
			</Stack>
		</Dialog>
	);
}
