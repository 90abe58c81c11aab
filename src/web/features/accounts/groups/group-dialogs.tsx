import { Stack } from '@mantine/core';
import { useState } from 'react';
import type { Group, GroupRef } from '#contract/accounts/groups.ts';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { TextField } from '#web/ui/forms/field.tsx';
import { ConfirmDialog, Dialog } from '#web/ui/overlays/dialog.tsx';
import { FailureNotice } from '#web/ui/states/notice.tsx';

interface GroupNameDialogProps {
	/** The group to rename; null to create one. */
	group: GroupRef | null;
	onClose: () => void;
	onSaved?: (group: Group) => void;
}

/** Creates or renames a group. Keeps the input if saving fails. */
export function GroupNameDialog({ group, onClose, onSaved }: GroupNameDialogProps) {
	const [name, setName] = useState(group?.name ?? '');
	const save = useChange(
		(typed: string) =>
			group === null ? client.groups.create({ name: typed }) : client.groups.rename({ id: group.id, name: typed }),
		{ refetch: [api.groups.key(), api.sharing.key()], onError: shownInForm },
	);
	return (
		<Dialog
			onClose={onClose}
			title={group === null ? m.groups_create() : m.groups_rename()}
			onSubmit={() =>
				save.mutate(name, {
					onSuccess: (saved) => {
						onClose();
						onSaved?.(saved);
					},
				})
			}
			isDirty={name !== (group?.name ?? '')}
			submitButton={{
				label: save.isPending ? m.groups_saving() : group === null ? m.groups_create() : m.groups_rename(),
				isBusy: save.isPending,
			}}
		>
			<Stack gap={16}>
				<FailureNotice failure={save.failure} />
				<TextField
					label={m.groups_name()}
					maxLength={limits.groupNameMaxLength}
					data-autofocus
					autoComplete="off"
					value={name}
					error={save.failure?.fields.name}
					onChange={(event) => setName(event.currentTarget.value)}
				/>
			</Stack>
		</Dialog>
	);
}

interface DeleteGroupDialogProps {
	group: GroupRef;
	onClose: () => void;
	onDeleted: () => void;
}

export function DeleteGroupDialog({ group, onClose, onDeleted }: DeleteGroupDialogProps) {
	const remove = useChange(client.groups.remove, {
		refetch: [api.groups.list.key(), api.sharing.key()],
		onSuccess: () => {
			toastSuccess(m.groups_deleted({ name: group.name }));
			onDeleted();
		},
	});
	return (
		<ConfirmDialog
			onClose={onClose}
			onConfirm={() => remove.mutate({ id: group.id }, { onSettled: onClose })}
			question={m.groups_delete_question({ name: group.name })}
			detail={<p>{m.groups_delete_detail()}</p>}
			confirmLabel={remove.isPending ? m.groups_deleting() : m.groups_delete()}
			isBusy={remove.isPending}
		/>
	);
}
