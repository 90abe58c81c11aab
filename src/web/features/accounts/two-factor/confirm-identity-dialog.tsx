import { Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { m } from '#messages';
import type { Failure } from '#web/platform/api/failure.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { FailureNotice } from '#web/ui/states/notice.tsx';
import { CodeField, OwnPasswordField } from './two-factor-fields.tsx';

interface ConfirmIdentityDialogProps {
	title: string;
	detail: ReactNode;
	confirmLabel: string;
	isDangerous?: boolean;
	isBusy: boolean;
	failure: Failure | undefined;
	onConfirm: (proof: { password: string; code: string }) => void;
	onClose: () => void;
}

/** Requires the password and a code before a change. Rejected input stays in the fields. */
export function ConfirmIdentityDialog(props: ConfirmIdentityDialogProps) {
	const { title, detail, confirmLabel, isDangerous = false, isBusy, failure, onConfirm, onClose } = props;
	const [password, setPassword] = useState('');
	const [code, setCode] = useState('');

	return (
		<Dialog
			onClose={onClose}
			title={title}
			onSubmit={() => onConfirm({ password, code })}
			isDirty={password !== '' || code !== ''}
			submitButton={{
				label: isBusy ? m.two_factor_checking() : confirmLabel,
				isBusy,
				variant: isDangerous ? 'danger' : 'primary',
			}}
		>
			<Stack gap={16}>
				<p>{detail}</p>
				<FailureNotice failure={failure} />
				<OwnPasswordField value={password} error={failure?.fields.password} onChange={setPassword} />
				<CodeField
					label={m.two_factor_code()}
					description={m.two_factor_code_hint()}
					value={code}
					onChange={setCode}
					error={failure?.fields.code}
				/>
			</Stack>
		</Dialog>
	);
}
