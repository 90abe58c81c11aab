import { Group, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { m } from '#messages';
import type { CallOutputs } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button, ButtonAnchor } from '#web/ui/primitives/button.tsx';
import { CopyButton } from '#web/ui/primitives/copy-button.tsx';
import { iconProps } from '#web/ui/primitives/icon.ts';
import { Notice } from '#web/ui/states/notice.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import classes from './two-factor.module.css';
import { useBeginTwoFactorSetUp, useConfirmTwoFactor } from './two-factor-api.ts';
import { CodeField, OwnPasswordField } from './two-factor-fields.tsx';

/** Password, then the secret and a first code, then the recovery codes. Mount it to open it. */
export function SetUpDialog({ onClose }: { onClose: () => void }) {
	const begin = useBeginTwoFactorSetUp();
	const confirm = useConfirmTwoFactor();
	const [password, setPassword] = useState('');
	const [code, setCode] = useState('');

	const submit = (event: FormEvent) => {
		event.preventDefault();
		if (confirm.isSuccess) onClose();
		else if (begin.data === undefined) begin.mutate({ password });
		else confirm.mutate({ code });
	};
	const isBusy = begin.isPending || confirm.isPending;
	const label = begin.data === undefined ? m.two_factor_continue() : m.two_factor_turn_on();

	return (
		<Dialog
			isOpen
			onClose={onClose}
			title={confirm.isSuccess ? m.two_factor_codes_title() : m.two_factor_title()}
			onSubmit={submit}
			isDismissible={begin.data === undefined}
			isDirty={begin.data === undefined && password !== ''}
			footer={
				confirm.isSuccess ? (
					<Button type="submit" variant="primary">
						{m.two_factor_codes_saved()}
					</Button>
				) : (
					<>
						<Button onClick={onClose}>{m.common_cancel()}</Button>
						<Button type="submit" variant="primary" disabled={isBusy}>
							{isBusy ? m.two_factor_checking() : label}
						</Button>
					</>
				)
			}
		>
			<Stack gap={16}>
				{confirm.isSuccess ? (
					<RecoveryCodes codes={confirm.data.recoveryCodes} />
				) : begin.data === undefined ? (
					<PasswordStep value={password} onChange={setPassword} error={begin.error} />
				) : (
					<ScanStep start={begin.data} code={code} onCode={setCode} error={confirm.error} />
				)}
			</Stack>
		</Dialog>
	);
}

function PasswordStep(props: { value: string; onChange: (value: string) => void; error: Error | null }) {
	const { value, onChange, error } = props;
	const failure = error === null ? undefined : describeFailure(error);
	return (
		<>
			<p>{m.two_factor_intro()}</p>
			{failure !== undefined && failure.fields.password === undefined && (
				<Notice tone="negative">{failure.message}</Notice>
			)}
			<OwnPasswordField value={value} error={failure?.fields.password} onChange={onChange} />
		</>
	);
}

interface ScanStepProps {
	start: CallOutputs['twoFactor']['begin'];
	code: string;
	onCode: (code: string) => void;
	error: Error | null;
}

function ScanStep({ start: { secret, uri, qr }, code, onCode, error }: ScanStepProps) {
	const failure = error === null ? undefined : describeFailure(error);
	const margin = 4;
	const side = qr.size + 2 * margin;
	return (
		<>
			<p>{m.two_factor_scan()}</p>
			<svg
				className={classes.qr}
				viewBox={`${-margin} ${-margin} ${side} ${side}`}
				role="img"
				aria-label={m.two_factor_qr()}
				shapeRendering="crispEdges"
			>
				<path d={qr.path} />
			</svg>
			<Group justify="center">
				<ButtonAnchor href={uri} icon={<IconExternalLink {...iconProps} />}>
					{m.two_factor_open_app()}
				</ButtonAnchor>
			</Group>
			<div>
				<Text inherit mb={6} fw={550}>
					{m.two_factor_key()}
				</Text>
				<Group gap={8} wrap="nowrap">
					<p className={classes.key}>{secret.replace(/.{4}(?=.)/gu, '$& ')}</p>
					<CopyButton
						text={secret}
						label={m.two_factor_copy_key()}
						copied={m.two_factor_copied()}
						failed={m.two_factor_copy_key_failed()}
					/>
				</Group>
			</div>
			{failure !== undefined && failure.fields.code === undefined && <Notice tone="negative">{failure.message}</Notice>}
			<CodeField
				label={m.two_factor_first_code()}
				value={code}
				onChange={onCode}
				error={failure?.fields.code}
				isDigitsOnly
				autoFocus
			/>
		</>
	);
}
