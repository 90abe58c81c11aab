import { Box, Flex, Group, Text } from '@mantine/core';
import { IconTestPipe } from '@tabler/icons-react';
import { m } from '#messages';
import { Section } from '#web/ui/layout/section.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { ChecklistStep, stepTitles } from './checklist-step.tsx';
import { useFirstSteps, useSaveFirstSteps } from './first-steps-state.tsx';
import type { StepActionsProps } from './step-actions.tsx';

/** The checklist of a new owner, with what is missing for selling. Rendered only if it is shown. */
export function FirstSteps({
	onTestPurchase,
	mailActions,
}: Pick<StepActionsProps, 'mailActions'> & { onTestPurchase: () => void }) {
	const { steps } = useFirstSteps();
	const save = useSaveFirstSteps();
	const missing = steps.filter(({ state }) => state === 'missing');
	const next = missing[0] ?? steps.find(({ state }) => state === 'optional');
	const done = steps.filter(({ state }) => state === 'done').length;
	return (
		<Box mb={16} id="first-steps" style={{ scrollMarginTop: 200 }}>
			<Section
				title={m.setup_title()}
				intro={
					missing.length > 0
						? m.setup_missing({ list: missing.map(({ key }) => stepTitles[key]()).join(', ') })
						: m.setup_nothing_missing()
				}
				aside={
					<Group gap={8}>
						<Text c="dimmed" fz="sm">
							{m.setup_progress({ done: String(done), total: String(steps.length) })}
						</Text>
						<Button
							size="small"
							variant="quiet"
							disabled={save.isPending}
							onClick={() => save.mutate({ isDismissed: true })}
						>
							{m.setup_dismiss()}
						</Button>
					</Group>
				}
			>
				<ul>
					{steps.map((step) => (
						<ChecklistStep
							key={step.key}
							step={step}
							isNext={step === next}
							mailActions={mailActions}
							onKeepDefault={() => save.mutate({ isDefaultContentKept: true })}
						/>
					))}
				</ul>
				<Flex wrap="wrap" align="center" justify="space-between" gap="8px 16px" mt={12}>
					<Text c="dimmed" fz="sm" flex="1 1 240px">
						{m.setup_try()}
					</Text>
					<Button size="small" icon={IconTestPipe} onClick={onTestPurchase}>
						{m.test_purchase()}
					</Button>
				</Flex>
			</Section>
		</Box>
	);
}
