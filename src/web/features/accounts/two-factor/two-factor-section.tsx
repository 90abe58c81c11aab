import { Group, Stack, Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { m } from '#messages';
import { client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { formatDate } from '#web/platform/formats/format.ts';
import { useMe } from '#web/platform/session/session.ts';
import { Section } from '#web/ui/layout/section.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { Skeleton } from '#web/ui/states/skeleton.tsx';
import { FailedQuery } from '#web/ui/states/states.tsx';
import { ConfirmIdentityDialog } from './confirm-identity-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUpDialog, twoFactorChange } from './set-up-dialog.tsx';
import { useTwoFactor, useTwoFactorRequirement } from './two-factor-requirement-section.tsx';

const lowCodesThreshold = 3;

type OpenDialog = 'set-up' | 'renew' | 'turn-off' | undefined;

export function TwoFactorSection() {
	const me = useMe();
	const status = useTwoFactor();
	const [open, setOpen] = useState<OpenDialog>();
	const close = () => setOpen(undefined);
	const isOn = status.data?.isOn === true;
	return (
		<Section
			title={m.two_factor_title()}
			intro={m.two_factor_intro()}
			aside={
				status.data !== undefined && (
					<Badge tone={isOn ? 'positive' : 'neutral'} icon={isOn && IconShieldCheck}>
						{isOn ? m.two_factor_on() : m.two_factor_off()}
					</Badge>
				)
			}
		>
			<Stack gap={12}>
				{me.mustSetUpTwoFactor && <Notice tone="negative">{m.two_factor_must()}</Notice>}
				{status.isPending && <Skeleton width="220px" height="36px" />}
				{status.isError && <FailedQuery text={m.two_factor_failed()} query={status} />}
				{status.data !== undefined &&
					(status.data.isOn ? (
						<TwoFactorOn since={status.data.since ?? ''} left={status.data.recoveryCodesLeft} onOpen={setOpen} />
					) : (
						<Group>
							<Button variant={me.mustSetUpTwoFactor ? 'primary' : 'default'} onClick={() => setOpen('set-up')}>
								{m.two_factor_set_up()}
							</Button>
						</Group>
					))}
			</Stack>
			{open === 'set-up' && <SetUpDialog onClose={close} />}
			{open === 'renew' && <RenewDialog onClose={close} />}
			{open === 'turn-off' && <TurnOffDialog onClose={close} />}
		</Section>
	);
}

function TwoFactorOn({ since, left, onOpen }: { since: string; left: number; onOpen: (open: OpenDialog) => void }) {
	return (
		<>
			<Text c="var(--ink-2)">
				{m.two_factor_since({ date: formatDate(since) })} {m.two_factor_left({ count: left })}
			</Text>
			{left <= lowCodesThreshold && <Notice tone="info">{m.two_factor_few_left()}</Notice>}
			<Group gap={8}>
				<Button size="small" onClick={() => onOpen('renew')}>
					{m.two_factor_renew()}
				</Button>
				<Button size="small" variant="quiet" onClick={() => onOpen('turn-off')}>
					{m.two_factor_turn_off()}
				</Button>
			</Group>
		</>
	);
}

function RenewDialog({ onClose }: { onClose: () => void }) {
	const renew = useChange(client.twoFactor.renewRecoveryCodes, twoFactorChange);
	if (renew.data === undefined) {
		return (
			<ConfirmIdentityDialog
				title={m.two_factor_renew()}
				detail={m.two_factor_renew_detail()}
				confirmLabel={m.two_factor_continue()}
				isBusy={renew.isPending}
				failure={renew.failure}
				onConfirm={(proof) => renew.mutate(proof)}
				onClose={onClose}
			/>
		);
	}
	return (
		<Dialog
			onClose={onClose}
			title={m.two_factor_codes_title()}
			isDismissible={false}
			footer={
				<Button variant="primary" onClick={onClose}>
					{m.two_factor_codes_saved()}
				</Button>
			}
		>
			<Stack gap={16}>
				<RecoveryCodes codes={renew.data.recoveryCodes} />
			</Stack>
		</Dialog>
	);
}

function TurnOffDialog({ onClose }: { onClose: () => void }) {
	const { role } = useMe();
	const turnOff = useChange(client.twoFactor.turnOff, twoFactorChange);
	const isRequired = useTwoFactorRequirement(role === 'admin').data?.isRequiredOfAdmins === true;
	return (
		<ConfirmIdentityDialog
			title={m.two_factor_turn_off()}
			detail={isRequired ? m.two_factor_turn_off_required() : m.two_factor_turn_off_detail()}
			confirmLabel={m.two_factor_turn_off()}
			isDangerous
			isBusy={turnOff.isPending}
			failure={turnOff.failure}
			onConfirm={(proof) => turnOff.mutate(proof, { onSuccess: onClose })}
			onClose={onClose}
		/>
	);
}
