import { Box, Flex, Stack, Text } from '@mantine/core';
import { IconChevronDown, IconCircleCheck, IconCircleDashed, IconCircleDotted } from '@tabler/icons-react';
import type { FirstStep } from '#contract/setup/first-steps.ts';
import { m } from '#messages';
import { formatDateTime } from '#web/platform/formats/format.ts';
import { useIsPhone } from '#web/ui/hooks/viewport.ts';
import { iconProps, smallIconProps } from '#web/ui/primitives/icon.ts';
import textClasses from '#web/ui/primitives/text.module.css';
import classes from './checklist-step.module.css';
import { StepActions, type StepActionsProps } from './step-actions.tsx';

export const stepTitles: Record<FirstStep['key'], () => string> = {
	login: m.setup_login,
	mail: m.setup_mail,
	book: m.setup_book,
	payment: m.setup_payment,
	edition: m.setup_edition,
	storefront: m.setup_storefront,
	address: m.setup_address,
	backup: m.setup_backup,
};

const states = {
	done: { icon: IconCircleCheck, color: 'var(--positive)', label: m.setup_done },
	missing: { icon: IconCircleDashed, color: 'var(--accent)', label: m.setup_is_missing },
	optional: { icon: IconCircleDotted, color: 'var(--muted)', label: m.setup_optional },
};

interface ChecklistStepProps extends StepActionsProps {
	/** Whether this is the first step that is not done. */
	isNext: boolean;
}

/** On a phone, only the next step is open at first, and the others open when they are pressed. */
export function ChecklistStep({ isNext, ...actionProps }: ChecklistStepProps) {
	const { step } = actionProps;
	const isPhone = useIsPhone();
	const { icon: StateIcon, color, label } = states[step.state];
	const icon = <StateIcon {...iconProps} color={color} />;
	const title = (
		<Text component="h3" fz="md" fw={step.state === 'done' ? 400 : 600} flex={1}>
			{stepTitles[step.key]()} <span className={textClasses.hidden}>({label()})</span>
		</Text>
	);
	const text = stepText(step);
	const detail = text !== null && (
		<Text c="dimmed" fz="sm" style={{ overflowWrap: 'anywhere' }}>
			{text}
		</Text>
	);
	const actions = <StepActions {...actionProps} />;
	if (isPhone && step.state !== 'done')
		return (
			<li>
				<details open={isNext}>
					<summary className={classes.step}>
						{icon}
						{title}
						<IconChevronDown {...smallIconProps} className={classes.chevron} />
					</summary>
					<Stack gap={8} align="flex-start" pl={30} pb={12}>
						{detail}
						{actions}
					</Stack>
				</details>
			</li>
		);
	return (
		<li className={classes.step}>
			{icon}
			<Flex wrap="wrap" align="center" justify="space-between" gap="6px 16px" flex={1} miw={0}>
				<Box flex="1 1 260px" miw={0}>
					{title}
					{!isPhone && detail}
				</Box>
				{actions}
			</Flex>
		</li>
	);
}

const reasonTexts: Record<NonNullable<FirstStep['reason']>, (value: string) => string> = {
	'first-login': (email) => m.setup_login_first({ email }),
	'no-server': () => m.setup_mail_no_server(),
	untested: () => m.setup_mail_untested(),
	failed: (error) => m.setup_mail_failed({ error }),
	refused: (error) => m.setup_mail_refused({ error }),
	'not-saved': () => m.setup_book_not_saved(),
	'no-payment': () => m.setup_payment_none(),
	'half-bank': () => m.setup_payment_half(),
	'no-file': () => m.setup_edition_no_file(),
	'not-assigned': () => m.setup_edition_not_assigned(),
	unusable: (problem) => problem,
	'default-content': () => m.setup_storefront_default(),
	'not-https': (address) => m.setup_address_not_https({ address }),
	'no-backup': () => m.setup_backup_none(),
};

function stepText({ key, reason, value }: FirstStep): string | null {
	if (reason !== null) return reasonTexts[reason](value ?? '');
	if (value === null) return null;
	return key === 'backup' ? m.setup_backup_last({ time: formatDateTime(value) }) : value;
}
