import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { UserSummary } from '#contract/accounts/administration.ts';
import { m } from '#messages';
import { formatCount, formatSize } from '#web/platform/formats/format.ts';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import classes from './delete-user-list.module.css';
import { useDeleteUser } from './deletion-api.ts';

/** Says what goes and what stays, and asks. */
export function DeleteUserDialog({ person: user, onClose }: { person: UserSummary | null; onClose: () => void }) {
	const remove = useDeleteUser();
	// Shown on while the dialog fades away.
	const [shownUser, setShownUser] = useState(user);
	if (user !== null && user !== shownUser) setShownUser(user);
	return (
		<ConfirmDialog
			isOpen={user !== null}
			onClose={onClose}
			onConfirm={() => user !== null && remove.mutate(user, { onSettled: onClose })}
			question={m.account_deletion_question()}
			detail={shownUser !== null && <Consequences person={shownUser} />}
			confirmLabel={remove.isPending ? m.account_deletion_deleting() : m.account_deletion_delete()}
			isBusy={remove.isPending}
		/>
	);
}

function Consequences({ person: user }: { person: UserSummary }) {
	const { fileCount, sizeBytes } = user;
	const figures = { count: fileCount, shown: formatCount(fileCount), size: formatSize(sizeBytes) };
	return (
		<Stack gap={12}>
			<Text inherit fw={600} style={{ overflowWrap: 'anywhere' }}>
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
