import { Box, Flex, Group, Text } from '@mantine/core';
import { IconTestPipe } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { Section } from '#web/ui/layout/section.tsx';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';
import { ChecklistStep, stepTitles } from './checklist-step.tsx';
import type { StepActionsProps } from './step-actions.tsx';

/** `isShown`: the checklist is shown until every step is done or an admin dismisses it. */
export function useFirstSteps() {
	// Some steps are done outside the product, so the state is read again when the owner comes back to the page.
	const query = useQuery({ ...api.firstSteps.get.queryOptions(), staleTime: 0, refetchOnWindowFocus: 'always' });
	const { steps = [], isDismissed = false } = query.data ?? {};
	const isOpen = steps.some(({ state }) => state !== 'done');
	return { query, steps, isShown: isOpen && !isDismissed, canReopen: isOpen && isDismissed };
}

function useSaveFirstSteps() {
	return useChange(client.firstSteps.save, { refetch: [api.firstSteps.key()], isPendingUntilRefetched: true });
}

/** The checklist of a new owner, with what is missing for selling. */
export function FirstSteps({
	onTestPurchase,
	mailActions,
}: Pick<StepActionsProps, 'mailActions'> & { onTestPurchase: () => void }) {
	const { query, steps, isShown } = useFirstSteps();
	const save = useSaveFirstSteps();
	if (query.isError && query.data === undefined)
		return (
			<Box mb={16}>
				<Notice tone="negative" action={<Button onClick={() => void query.refetch()}>{m.common_retry()}</Button>}>
					{m.setup_failed()}
				</Notice>
			</Box>
		);
	if (!isShown) return null;
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

/** A quiet button that shows the dismissed checklist again, while a step is open. */
export function ReopenFirstSteps() {
	const { canReopen } = useFirstSteps();
	const save = useSaveFirstSteps();
	if (!canReopen) return null;
	return (
		<Flex justify="center" mt={24}>
			<Button
				size="small"
				variant="quiet"
				disabled={save.isPending}
				onClick={() => save.mutate({ isDismissed: false }, { onSuccess: () => window.scrollTo({ top: 0 }) })}
			>
				{m.setup_reopen()}
			</Button>
		</Flex>
	);
}
