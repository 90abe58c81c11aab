import { Stack } from '@mantine/core';
import { useRef, useState } from 'react';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button, ButtonLink } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { CredentialInputs, emptyCredential, useCredentialForm } from './credentials-fields.tsx';

interface AddCredentialsFormProps {
	isFirstFocused?: boolean;
	/** `isTyped`: whether closing the form would lose input. */
	onTyped?: (isTyped: boolean) => void;
	/** Called when the user opens the existing record with the same username and state. */
	onLeave?: () => void;
}

/** After a success the form is cleared for the next record. */
export function AddCredentialsForm({ isFirstFocused = false, onTyped, onLeave }: AddCredentialsFormProps) {
	const form = useRef<HTMLFormElement>(null);
	const add = useChange(client.credentials.add, {
		refetch: [api.credentials.list.key()],
		onSuccess: ({ success }) =>
			success ? toastSuccess(m.credentials_added()) : toastError(m.credentials_add_failed()),
		// The form itself shows the reason.
		onError: () => toastError(m.credentials_wrong()),
	});
	const { failure } = add;
	const serverError = add.data?.success === false ? add.data.error : null;
	const { typed, setTyped, isIncomplete, errors, submit } = useCredentialForm(emptyCredential, add, (record) =>
		add.mutate(record, {
			onSuccess: ({ success }) => {
				if (!success) return;
				type(emptyCredential);
				form.current?.querySelector('input')?.focus();
			},
		}),
	);

	const type = (next: typeof typed) => {
		setTyped(next);
		onTyped?.(Object.values(next).some((value) => value !== ''));
	};

	return (
		<form ref={form} onSubmit={submit} noValidate>
			<Stack gap={16}>
				<CredentialInputs typed={typed} errors={errors} onChange={type} isFirstFocused={isFirstFocused} />
				{isIncomplete && <Notice tone="negative">{m.credentials_fill()}</Notice>}
				{failure !== undefined && <Notice tone="negative">{failure.message}</Notice>}
				{serverError !== null && (
					<Notice
						tone="negative"
						action={
							<ButtonLink
								to="/admin/credentials"
								search={{ username: typed.username.trim(), state: typed.state.trim() }}
								size="small"
								onClick={onLeave}
							>
								{m.credentials_see_existing()}
							</ButtonLink>
						}
					>
						{serverError}
					</Notice>
				)}
				<Button type="submit" variant="primary" isFullWidth disabled={add.isPending}>
					{add.isPending ? m.credentials_adding() : m.credentials_add()}
				</Button>
			</Stack>
		</form>
	);
}

/** Stays open after a success, for the next record. Opens on mount. */
export function AddCredentialsDialog({ onClose }: { onClose: () => void }) {
	const [isTyped, setTyped] = useState(false);
	return (
		<Dialog onClose={onClose} title={m.credentials_add()} isDirty={isTyped}>
			<AddCredentialsForm isFirstFocused onTyped={setTyped} onLeave={onClose} />
		</Dialog>
	);
}
