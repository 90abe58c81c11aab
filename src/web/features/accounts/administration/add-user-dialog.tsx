import { Group, Stack } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { describeFailure, type Failure } from '#web/platform/api/failure.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { CsvImportDialog } from '#web/ui/forms/csv-import-dialog.tsx';
import { SelectField, TextField } from '#web/ui/forms/field.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { smallIconProps } from '#web/ui/primitives/icon.ts';
import { Notice } from '#web/ui/states/notice.tsx';
import { NewPasswordField } from '../sign-in/sign-in-form.tsx';
import { useImportUsers, useRegisterUser } from './users-api.ts';

type Field = 'email' | 'password' | 'role';

const fieldByErrorCode: Record<string, Field> = {
	ROLE_REQUIRED: 'role',
	EMAIL_IN_USE: 'email',
	EMAIL_INVALID: 'email',
	WEAK_PASSWORD: 'password',
};

/** The sentences beside the fields: the server's own by field, else the one that its code belongs to. */
function fieldErrors(failure: Failure | undefined): Partial<Record<Field, string>> {
	if (failure === undefined) return {};
	const field = fieldByErrorCode[failure.code];
	return field === undefined ? failure.fields : { [field]: failure.message, ...failure.fields };
}

/** The Add New User modal. Mount it to open it; nothing typed is lost by a refusal. */
export function AddUserDialog({ onClose, onImport }: { onClose: () => void; onImport: () => void }) {
	const register = useRegisterUser();
	const [typed, setTyped] = useState({ email: '', password: '', role: '' });
	const failure = register.isError ? describeFailure(register.error) : undefined;
	const errors = fieldErrors(failure);
	const isUntouched = typed.email === '' && typed.password === '';

	const submit = (event: FormEvent) => {
		event.preventDefault();
		register.mutate(typed, {
			onSuccess: () => {
				toastSuccess(m.users_registered());
				onClose();
			},
		});
	};

	return (
		<Dialog
			isOpen
			onClose={onClose}
			title={m.users_add()}
			onSubmit={submit}
			isDirty={!isUntouched || typed.role !== ''}
			footer={
				<>
					<Button onClick={onClose}>{m.common_cancel()}</Button>
					<Button type="submit" variant="primary" disabled={register.isPending}>
						{register.isPending ? m.users_registering() : m.users_register()}
					</Button>
				</>
			}
		>
			<Stack gap={16}>
				{failure !== undefined && Object.keys(errors).length === 0 && (
					<Notice tone="negative">{failure.message}</Notice>
				)}
				<TextField
					label={m.users_email()}
					type="email"
					name="email"
					autoComplete="off"
					data-autofocus
					value={typed.email}
					error={errors.email}
					onChange={(event) => setTyped({ ...typed, email: event.currentTarget.value })}
				/>
				<NewPasswordField
					label={m.users_password()}
					required={false}
					value={typed.password}
					error={errors.password}
					onChange={(password) => setTyped({ ...typed, password })}
				/>
				<SelectField
					label={m.users_role()}
					name="role"
					value={typed.role}
					error={errors.role}
					onChange={(event) => setTyped({ ...typed, role: event.currentTarget.value })}
					data={[
						{ value: '', label: m.users_role_choose() },
						{ value: 'user', label: m.users_role_user() },
						{ value: 'admin', label: m.users_role_admin() },
					]}
				/>
				{/* Not once something is typed: it would be lost. */}
				{isUntouched && (
					<Group gap="8px 12px" c="dimmed" fz={13}>
						{m.users_import_instead()}
						<Button size="small" icon={<IconFileTypeCsv {...smallIconProps} />} onClick={onImport}>
							{m.users_import()}
						</Button>
					</Group>
				)}
			</Stack>
		</Dialog>
	);
}

/** Many users at once, from a file or pasted. */
export function ImportUsersDialog({ onClose }: { onClose: () => void }) {
	const load = useImportUsers();
	const report = load.data && {
		added: load.data.added,
		addedText: m.users_import_done({ count: formatCount(load.data.added) }),
		problems: load.data.problems.map(({ line, value, reason }) => ({ line, about: value, reason })),
	};
	return (
		<CsvImportDialog
			onClose={onClose}
			title={m.users_import_title()}
			hint={m.users_import_hint({ count: formatCount(limits.userImportMaxRows) })}
			example={'email,name,role\nasha.verma@example.com,Asha Verma,user'}
			maxBytes={limits.userImportMaxBytes}
			importCall={load}
			report={report}
		/>
	);
}
