import { IconFileTypeCsv } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { limits } from '#contract/core/limits.ts';
import { m } from '#messages';
import { describeFailure, type Failure } from '#web/platform/failure.ts';
import { toastSuccess } from '#web/platform/toasts.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { PasswordField, SelectField, TextField } from '#web/ui/field.tsx';
import { smallIconProps } from '#web/ui/icon.ts';
import { Notice } from '#web/ui/notice.tsx';
import { useRegisterPerson } from './people.api.ts';
import classes from './people-add-dialog.module.css';

type Field = 'email' | 'password' | 'role';

const fieldOfCode: Record<string, Field> = {
	ROLE_REQUIRED: 'role',
	EMAIL_IN_USE: 'email',
	EMAIL_INVALID: 'email',
	WEAK_PASSWORD: 'password',
};

/** The sentences beside the fields: the server's own by field, else the one that its code belongs to. */
function fieldErrorsOf(failure: Failure | undefined): Partial<Record<Field, string>> {
	if (failure === undefined) return {};
	const field = fieldOfCode[failure.code];
	return field === undefined ? failure.fields : { [field]: failure.message, ...failure.fields };
}

/** The Add New User modal. Mount it to open it; nothing typed is lost by a refusal. */
export function AddPersonDialog({ onClose, onImport }: { onClose: () => void; onImport: () => void }) {
	const register = useRegisterPerson();
	const [typed, setTyped] = useState({ email: '', password: '', role: '' });
	const failure = register.isError ? describeFailure(register.error) : undefined;
	const errors = fieldErrorsOf(failure);
	const isUntouched = typed.email === '' && typed.password === '';

	const submit = (event: FormEvent) => {
		event.preventDefault();
		register.mutate(typed, {
			onSuccess: () => {
				toastSuccess(m.people_registered());
				onClose();
			},
		});
	};

	return (
		<Dialog
			isOpen
			onClose={onClose}
			title={m.people_add()}
			onSubmit={submit}
			isTyped={!isUntouched || typed.role !== ''}
			foot={
				<>
					<Button onClick={onClose}>{m.common_cancel()}</Button>
					<Button type="submit" variant="primary" disabled={register.isPending}>
						{register.isPending ? m.people_registering() : m.people_register()}
					</Button>
				</>
			}
		>
			<div className={classes.fields}>
				{failure !== undefined && Object.keys(errors).length === 0 && (
					<Notice tone="negative">{failure.message}</Notice>
				)}
				<TextField
					label={m.people_email()}
					type="email"
					name="email"
					autoComplete="off"
					data-autofocus
					value={typed.email}
					error={errors.email}
					onChange={(event) => setTyped({ ...typed, email: event.currentTarget.value })}
				/>
				<PasswordField
					label={m.people_password()}
					description={m.account_password_hint({ count: limits.passwordMinLength })}
					name="new-password"
					autoComplete="new-password"
					value={typed.password}
					error={errors.password}
					onChange={(event) => setTyped({ ...typed, password: event.currentTarget.value })}
				/>
				<SelectField
					label={m.people_role()}
					name="role"
					value={typed.role}
					error={errors.role}
					onChange={(event) => setTyped({ ...typed, role: event.currentTarget.value })}
					data={[
						{ value: '', label: m.people_role_choose() },
						{ value: 'user', label: m.people_role_user() },
						{ value: 'admin', label: m.people_role_admin() },
					]}
				/>
				{/* Not once something is typed: it would be lost. */}
				{isUntouched && (
					<p className={classes.many}>
						{m.people_import_instead()}
						<Button size="small" icon={<IconFileTypeCsv {...smallIconProps} />} onClick={onImport}>
							{m.people_import()}
						</Button>
					</p>
				)}
			</div>
		</Dialog>
	);
}
