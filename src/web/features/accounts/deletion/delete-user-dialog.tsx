import { Stack, Text } from '@mantine/core';
import type { UserSummary } from '#contract/accounts/administration.ts';
import { deleteUserPath } from '#contract/accounts/deletion.ts';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { readErrorBody } from '#web/platform/api/failure.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastError, toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatCount, formatStorage } from '#web/platform/formats/format.ts';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import classes from './delete-user-list.module.css';

/** Asks before a user is deleted. Lists which data is deleted and which data is kept. */
export function DeleteUserDialog({ user, onClose }: { user: UserSummary; onClose: () => void }) {
	const remove = useChange(({ id }: UserSummary) => requestDeletion(id), {
		refetch: [api.people.key(), api.removals.key()],
		onSuccess: (error, { id }) => (error === null ? toastSuccess(m.account_deletion_done({ id })) : toastError(error)),
		onError: () => toastError(m.account_deletion_server_error()),
	});
	return (
		<ConfirmDialog
			onClose={onClose}
			onConfirm={() => remove.mutate(user, { onSettled: onClose })}
			question={m.account_deletion_question()}
			detail={<Consequences user={user} />}
			confirmLabel={remove.isPending ? m.account_deletion_deleting() : m.account_deletion_delete()}
			isBusy={remove.isPending}
		/>
	);
}

function Consequences({ user }: { user: UserSummary }) {
	const { fileCount, sizeBytes } = user;
	const figures = { count: fileCount, shown: formatCount(fileCount), size: formatStorage(sizeBytes) };
	return (
		<Stack gap={12}>
			<Text fw={600} style={{ overflowWrap: 'anywhere' }}>
				<bdi>{user.email}</bdi>
			</Text>
			<ul className={classes.consequences}>
				<li>{m.account_deletion_removes_sessions()}</li>
				<li>{fileCount === 0 ? m.account_deletion_removes_no_files() : m.account_deletion_removes_files(figures)}</li>
				<li>{user.order === 'none' ? m.account_deletion_keeps_audit() : m.account_deletion_keeps_order()}</li>
			</ul>
		</Stack>
	);
}

/** Returns an error message, or null if the user was deleted. Rejects without a response, or if it is not JSON. */
async function requestDeletion(uid: string): Promise<string | null> {
	const response = await fetch(deleteUserPath, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ uid }),
	});
	if (response.status === 500) return m.account_deletion_server_error();
	const body: unknown = await response.json();
	if (typeof body === 'object' && body !== null && 'success' in body && body.success === true) return null;
	const failure = readErrorBody(body);
	return failure === undefined
		? m.account_deletion_server_error()
		: m.account_deletion_failed({ error: failure.message });
}
