import { IconEye, IconEyeOff, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { CredentialRow } from '#contract/credentials/credentials.ts';
import { m } from '#messages';
import { formatDate, formatDateTime } from '#web/platform/formats/format.ts';
import { useKeysetPages } from '#web/ui/data/pager.tsx';
import { ConfirmDialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { CopyButton } from '#web/ui/primitives/copy-button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { IconButton } from '#web/ui/primitives/icon-button.tsx';
import {
	type CredentialsSearch,
	credentialsPageSize,
	useCredentials,
	useDeleteCredentials,
} from './credentials-api.ts';
import { EditCredentialsDialog } from './credentials-edit-dialog.tsx';
import classes from './credentials-list.module.css';
import { CredentialsPagedList } from './credentials-paged-list.tsx';

interface CredentialsListProps {
	search: CredentialsSearch;
	onClear: () => void;
}

/** Records, newest first, or the one that the search names. */
export function CredentialsList({ search, onClear }: CredentialsListProps) {
	const pages = useKeysetPages();
	const page = useCredentials(search, pages.cursor);
	const [editing, setEditing] = useState<CredentialRow>();
	const [deleting, setDeleting] = useState<CredentialRow>();
	const hasFilters = search.username !== '' || search.state !== '';
	return (
		<div className={classes.credentials}>
			<CredentialsPagedList
				page={page}
				pages={pages}
				pageSize={credentialsPageSize}
				texts={{
					failed: m.credentials_list_failed(),
					loading: m.credentials_list_loading(),
					empty: hasFilters ? m.credentials_list_none() : m.credentials_list_empty(),
				}}
				emptyAction={hasFilters ? <Button onClick={onClear}>{m.credentials_clear()}</Button> : undefined}
				header={
					<>
						<span>{m.credentials_username()}</span>
						<span>{m.credentials_state()}</span>
						<span>{m.credentials_id()}</span>
						<span>{m.credentials_password()}</span>
						<span>{m.credentials_added_at()}</span>
						<span className={classes.end}>{m.credentials_actions()}</span>
					</>
				}
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
	const { username, state, id, createdAt, updatedAt } = row;
	if (row.isUnreadable) return <UnreadableRow row={row} onDelete={onDelete} />;
	const changed = updatedAt === createdAt ? undefined : m.credentials_changed_at({ date: formatDateTime(updatedAt) });
	return (
		<li className={classes.row}>
			<span className={classes.name}>{username}</span>
			<span className={classes.cell}>{state}</span>
			<span className={classes.secret}>
				<span className={classes.label}>{m.credentials_id()}</span>
				<span className={classes.mono}>{id}</span>
				<CopyButton
					size="small"
					text={id}
					label={m.credentials_copy({ field: m.credentials_id() })}
					copied={m.credentials_copied({ field: m.credentials_id() })}
					failed={m.credentials_copy_failed()}
				/>
			</span>
			<Password row={row} />
			<span className={classes.when} title={[formatDateTime(createdAt), changed].filter(Boolean).join(', ')}>
				{formatDate(createdAt)}
			</span>
			<span className={classes.actions}>
				<IconButton
					label={m.credentials_edit_of({ username, state })}
					icon={<IconPencil {...iconProps} />}
					onClick={onEdit}
				/>
				<IconButton
					label={m.credentials_delete_of({ username, state })}
					icon={<IconTrash {...iconProps} />}
					onClick={onDelete}
				/>
			</span>
		</li>
	);
}

/** Sealed with another secret, or damaged: it can only go. */
function UnreadableRow({ row: { createdAt }, onDelete }: Omit<CredentialListRowProps, 'onEdit'>) {
	const date = formatDate(createdAt);
	return (
		<li className={classes.row}>
			<span className={classes.unreadable}>{m.credentials_unreadable()}</span>
			<span className={classes.when}>{date}</span>
			<span className={classes.actions}>
				<IconButton
					label={m.credentials_delete_unreadable({ date })}
					icon={<IconTrash {...iconProps} />}
					onClick={onDelete}
				/>
			</span>
		</li>
	);
}

/** Hidden until requested: the screen may be visible to others. */
function Password({ row: { username, password } }: { row: CredentialRow }) {
	const [isShown, setShown] = useState(false);
	const label = isShown ? m.credentials_hide({ username }) : m.credentials_show({ username });
	const ShownIcon = isShown ? IconEyeOff : IconEye;
	return (
		<span className={classes.secret}>
			<span className={classes.label}>{m.credentials_password()}</span>
			<span className={classes.mono}>{isShown ? password : <span aria-hidden="true">••••••••</span>}</span>
			<IconButton
				size="small"
				label={label}
				icon={<ShownIcon {...iconProps} />}
				aria-pressed={isShown}
				onClick={() => setShown(!isShown)}
			/>
			<CopyButton
				size="small"
				text={password}
				label={m.credentials_copy({ field: m.credentials_password() })}
				copied={m.credentials_copied({ field: m.credentials_password() })}
				failed={m.credentials_copy_failed()}
			/>
		</span>
	);
}

function DeleteCredentialDialog({
	row: { record, username, state, isUnreadable },
	onClose,
}: {
	row: CredentialRow;
	onClose: () => void;
}) {
	const remove = useDeleteCredentials();
	return (
		<ConfirmDialog
			isOpen
			onClose={onClose}
			onConfirm={() => remove.mutate({ record }, { onSettled: onClose })}
			question={m.credentials_delete_question()}
			detail={
				<p className={classes.detail}>
					{isUnreadable ? m.credentials_unreadable() : m.credentials_delete_detail({ username, state })}
				</p>
			}
			confirmLabel={m.credentials_delete()}
			isBusy={remove.isPending}
		/>
	);
}
