import { Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/api/failure.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { CodeField, OwnPasswordField } from './two-factor-fields.tsx';

interface ConfirmIdentityDialogProps {
	title: string;
	detail: ReactNode;
	confirmLabel: string;
	isDangerous?: boolean;
	isBusy: boolean;
	error: Error | null;
	onConfirm: (proof: { password: string; code: string }) => void;
	onClose: () => void;
}

/** Asks for password and code before a change. What was typed stays after a refusal. */
export function ConfirmIdentityDialog(props: ConfirmIdentityDialogProps) {
	const { title, detail, confirmLabel, isDangerous = false, isBusy, error, onConfirm, onClose } = props;
	const [password, setPassword] = useState('');
	const [code, setCode] = useState('');
	const failure = error === null ? undefined : describeFailure(error);
	const isBesideField = failure?.fields.password !== undefined || failure?.fields.code !== undefined;

	const submit = (event: FormEvent) => {
		event.preventDefault();
		onConfirm({ password, code });
	};
	return (
		<Dialog
			isOpen
			onClose={onClose}
			title={title}
			onSubmit={submit}
			isDirty={password !== '' || code !== ''}
			footer={
				<>
					<Button onClick={onClose}>{m.common_cancel()}</Button>
					<Button type="submit" variant={isDangerous ? 'danger' : 'primary'} disabled={isBusy}>
						{isBusy ? m.two_factor_checking() : confirmLabel}
					</Button>
				</>
			}
		>
			<Stack gap={16}>
				<p>{detail}</p>
				{failure !== undefined && !isBesideField && <Notice tone="negative">{failure.message}</Notice>}
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
