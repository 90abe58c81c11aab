import { Group, Stack, Text } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#messages';
import { api, type CallOutputs, client } from '#web/platform/api/client.ts';
import type { Failure } from '#web/platform/api/failure.ts';
import { shownInForm, useChange } from '#web/platform/api/use-change.ts';
import { sessionQuery } from '#web/platform/session/session.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Button, ButtonAnchor } from '#web/ui/primitives/button.tsx';
import { CopyButton } from '#web/ui/primitives/copy-button.tsx';
import { FailureNotice } from '#web/ui/states/notice.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import classes from './two-factor.module.css';
import { CodeField, OwnPasswordField } from './two-factor-fields.tsx';

/** The session is refetched too, because the other screens are locked while its `mustSetUpTwoFactor` is true. */
export const twoFactorChange = { refetch: [api.twoFactor.key(), sessionQuery.queryKey], onError: shownInForm };

/** Three steps: the password, the secret with a first code, the recovery codes. Opens on mount. */
export function SetUpDialog({ onClose }: { onClose: () => void }) {
	const begin = useChange(client.twoFactor.begin, { onError: shownInForm });
	const confirm = useChange(client.twoFactor.confirm, twoFactorChange);
	const [password, setPassword] = useState('');
	const [code, setCode] = useState('');

	const submit = () => {
		if (confirm.isSuccess) onClose();
		else if (begin.data === undefined) begin.mutate({ password });
		else confirm.mutate({ code });
	};
	const isBusy = begin.isPending || confirm.isPending;
	const label = begin.data === undefined ? m.two_factor_continue() : m.two_factor_turn_on();

	return (
		<Dialog
			onClose={onClose}
			title={confirm.isSuccess ? m.two_factor_codes_title() : m.two_factor_title()}
			onSubmit={submit}
			isDismissible={begin.data === undefined}
			isDirty={begin.data === undefined && password !== ''}
			footer={
				<Button type="submit" variant="primary">
					{m.two_factor_codes_saved()}
				</Button>
			}
			submitButton={confirm.isSuccess ? undefined : { label: isBusy ? m.two_factor_checking() : label, isBusy }}
		>
			<Stack gap={16}>
				{confirm.isSuccess ? (
					<RecoveryCodes codes={confirm.data.recoveryCodes} />
				) : begin.data === undefined ? (
					<PasswordStep value={password} onChange={setPassword} failure={begin.failure} />
				) : (
					<ScanStep start={begin.data} code={code} onCode={setCode} failure={confirm.failure} />
				)}
			</Stack>
		</Dialog>
	);
}

function PasswordStep(props: { value: string; onChange: (value: string) => void; failure: Failure | undefined }) {
	const { value, onChange, failure } = props;
	return (
		<>
			<p>{m.two_factor_intro()}</p>
			<FailureNotice failure={failure} />
			<OwnPasswordField value={value} error={failure?.fields.password} onChange={onChange} />
		</>
	);
}

interface ScanStepProps {
	start: CallOutputs['twoFactor']['begin'];
	code: string;
	onCode: (code: string) => void;
	failure: Failure | undefined;
}

function ScanStep({ start: { secret, uri, qr }, code, onCode, failure }: ScanStepProps) {
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
				<ButtonAnchor href={uri} icon={IconExternalLink}>
					{m.two_factor_open_app()}
				</ButtonAnchor>
			</Group>
			<div>
				<Text mb={6} fw={550}>
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
			<FailureNotice failure={failure} />
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
