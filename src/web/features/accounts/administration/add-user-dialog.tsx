import { Group, Stack } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { toastSuccess } from '#web/platform/browser/toasts.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { CsvImportDialog } from '#web/ui/forms/csv-import-dialog.tsx';
import { SelectField, TextField } from '#web/ui/forms/field.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { FailureNotice } from '#web/ui/states/notice.tsx';
import { NewPasswordField } from '../sign-in/sign-in-form.tsx';

export function AddUserDialog({ onClose, onImport }: { onClose: () => void; onImport: () => void }) {
	const register = useChange(client.people.register, {
		refetch: [api.people.key()],
		onSuccess: () => toastSuccess(m.users_registered()),
		onError: shownInForm,
	});
	const [typed, setTyped] = useState({ email: '', password: '', role: '' });
	const { failure } = register;
	const errors = failure?.fields ?? {};
	const isUntouched = typed.email === '' && typed.password === '';

	return (
		<Dialog
			onClose={onClose}
			title={m.users_add()}
			onSubmit={() => register.mutate(typed, { onSuccess: onClose })}
			isDirty={!isUntouched || typed.role !== ''}
			submitButton={{
				label: register.isPending ? m.users_registering() : m.users_register(),
				isBusy: register.isPending,
			}}
		>
			<Stack gap={16}>
				<FailureNotice failure={failure} />
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
				{/* Hidden as soon as the form has input, because the import closes this dialog. */}
				{isUntouched && (
					<Group gap="8px 12px" c="dimmed" fz={13}>
						{m.users_import_instead()}
						<Button size="small" icon={IconFileTypeCsv} onClick={onImport}>
							{m.users_import()}
						</Button>
					</Group>
				)}
			</Stack>
		</Dialog>
	);
}

export function ImportUsersDialog({ onClose }: { onClose: () => void }) {
	const load = useChange(client.people.importCsv, { refetch: [api.people.key()], onError: shownInForm });
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
