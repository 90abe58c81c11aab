import { Box, Group } from '@mantine/core';
import { IconEye, IconEyeOff, IconPencil, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { type CredentialField, type CredentialRow, credentialFields } from '#contract/credentials/credentials.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatDate, formatDateTime } from '#web/platform/formats/format.ts';
import { usePagedQuery } from '#web/ui/data/paged-list.tsx';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import classes from './credentials.module.css';
import { EditCredentialsDialog } from './credentials-edit-dialog.tsx';
import { CopyFieldButton, type CredentialsSearch, fieldLabels } from './credentials-fields.tsx';
import { CredentialsPagedList } from './credentials-paged-list.tsx';

/** Newest record first. A search returns at most one record. */
export function CredentialsList({ search, onClear }: { search: CredentialsSearch; onClear: () => void }) {
	const { username, state } = search;
	const list = usePagedQuery(25, (page) => api.credentials.list.queryOptions({ input: { username, state, ...page } }));
	const [editing, setEditing] = useState<CredentialRow>();
	const [deleting, setDeleting] = useState<CredentialRow>();
	const hasFilters = username !== '' || state !== '';
	return (
		<div className={classes.credentials}>
			<CredentialsPagedList
				list={list}
				texts={{
					failed: m.credentials_list_failed(),
					loading: m.credentials_list_loading(),
					empty: hasFilters ? m.credentials_list_none() : m.credentials_list_empty(),
				}}
				emptyAction={hasFilters ? <Button onClick={onClear}>{m.credentials_clear()}</Button> : undefined}
				columns={[
					...credentialFields.map((field) => fieldLabels[field]()),
					m.credentials_added_at(),
					m.credentials_actions(),
				]}
			>
				{(rows) =>
					rows.map((row) => (
						<CredentialListRow
							key={row.record}
							row={row}
							onEdit={() => setEditing(row)}
							onDelete={() => setDeleting(row)}
						/>
					))
				}
			</CredentialsPagedList>
			{editing !== undefined && <EditCredentialsDialog row={editing} onClose={() => setEditing(undefined)} />}
			{deleting !== undefined && <DeleteCredentialDialog row={deleting} onClose={() => setDeleting(undefined)} />}
		</div>
	);
}

interface CredentialListRowProps {
	row: CredentialRow;
	onEdit: () => void;
	onDelete: () => void;
}

function CredentialListRow({ row, onEdit, onDelete }: CredentialListRowProps) {
	const { username, state, id, createdAt, updatedAt, isUnreadable } = row;
	const changed = updatedAt === createdAt ? '' : `, ${m.credentials_changed_at({ date: formatDateTime(updatedAt) })}`;
	const date = formatDate(createdAt);
	return (
		<li className={classes.row}>
			{isUnreadable ? (
				// The record is damaged or was encrypted with another secret. It can only be deleted.
				<span className={classes.unreadable}>{m.credentials_unreadable()}</span>
			) : (
				<>
					<Box component="span" fw={600}>
						{username}
					</Box>
					<span className={classes.cell}>{state}</span>
					<SecretCell field="id" value={id} />
					<Password row={row} />
				</>
			)}
			<span className={classes.when} title={isUnreadable ? undefined : formatDateTime(createdAt) + changed}>
				{date}
			</span>
			<Group gap={0} justify="flex-end" wrap="nowrap">
				{!isUnreadable && (
					<IconButton label={m.credentials_edit_of({ username, state })} icon={IconPencil} onClick={onEdit} />
				)}
				<IconButton
					label={
						isUnreadable ? m.credentials_delete_unreadable({ date }) : m.credentials_delete_of({ username, state })
					}
					icon={IconTrash}
					onClick={onDelete}
				/>
			</Group>
		</li>
	);
}

interface SecretCellProps {
	field: CredentialField;
	value: string;
	/** Shown instead of the value. The copy button copies the value in any case. */
	shown?: ReactNode;
	children?: ReactNode;
}

function SecretCell({ field, value, shown = value, children }: SecretCellProps) {
	return (
		<Group gap={4} wrap="nowrap" className={classes.secret}>
			<span className={classes.label}>{fieldLabels[field]()}</span>
			<span className={classes.mono}>{shown}</span>
			{children}
			<CopyFieldButton size="small" field={field} value={value} />
		</Group>
	);
}

function Password({ row: { username, password } }: { row: CredentialRow }) {
	const [isShown, setShown] = useState(false);
	const ShownIcon = isShown ? IconEyeOff : IconEye;
	return (
		<SecretCell field="password" value={password} shown={isShown ? password : <span aria-hidden="true">••••••••</span>}>
			<IconButton
				size="small"
				label={isShown ? m.credentials_hide({ username }) : m.credentials_show({ username })}
				icon={ShownIcon}
				aria-pressed={isShown}
				onClick={() => setShown(!isShown)}
			/>
		</SecretCell>
	);
}

function DeleteCredentialDialog({ row, onClose }: { row: CredentialRow; onClose: () => void }) {
	const { record, username, state, isUnreadable } = row;
	const remove = useChange(client.credentials.remove, {
		refetch: [api.credentials.list.key()],
		onSuccess: () => toastSuccess(m.credentials_deleted()),
	});
	return (
		<ConfirmDialog
			onClose={onClose}
			onConfirm={() => remove.mutate({ record }, { onSettled: onClose })}
			question={m.credentials_delete_question()}
			detail={
				<p style={{ overflowWrap: 'anywhere' }}>
					{isUnreadable ? m.credentials_unreadable() : m.credentials_delete_detail({ username, state })}
				</p>
			}
			confirmLabel={m.credentials_delete()}
			isBusy={remove.isPending}
		/>
	);
}
