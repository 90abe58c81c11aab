import { type FormEvent, type ReactNode, useState } from 'react';
import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { CodeField } from './code-field.tsx';
import { OwnPasswordField } from './own-password-field.tsx';
import classes from './two-factor.module.css';

interface ProofDialogProps {
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
export function ProofDialog(props: ProofDialogProps) {
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
			isTyped={password !== '' || code !== ''}
			foot={
				<>
					<Button onClick={onClose}>{m.common_cancel()}</Button>
					<Button type="submit" variant={isDangerous ? 'danger' : 'primary'} disabled={isBusy}>
						{isBusy ? m.two_factor_checking() : confirmLabel}
					</Button>
				</>
			}
		>
			<div className={classes.fields}>
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
			</div>
		</Dialog>
	);
}
