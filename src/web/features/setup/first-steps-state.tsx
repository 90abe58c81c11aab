import { Box, Flex } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { m } from '#messages';
import { api, client } from '#web/platform/api/client.ts';
import { useChange } from '#web/platform/api/use-change.ts';
import { Button } from '#web/ui/primitives/button.tsx';
import { Notice } from '#web/ui/states/notice.tsx';

/** The navigation has loaded the state just before the screen. */
const justLoadedMs = 5000;

/** `isShown`: the checklist is shown until every step is done or an admin dismisses it. */
export function useFirstSteps() {
	// Some steps are done outside the product, so the state is read again when the owner comes back to the page.
	const query = useQuery({
		...api.firstSteps.get.queryOptions(),
		staleTime: justLoadedMs,
		refetchOnWindowFocus: 'always',
	});
	const { steps = [], isDismissed = false } = query.data ?? {};
	const isOpen = steps.some(({ state }) => state !== 'done');
	return { query, steps, isShown: isOpen && !isDismissed, canReopen: isOpen && isDismissed };
}

export function useSaveFirstSteps() {
	return useChange(client.firstSteps.save, { refetch: [api.firstSteps.key()], isPendingUntilRefetched: true });
}

export function FirstStepsError() {
	const { query } = useFirstSteps();
	return (
		query.isError &&
		query.data === undefined && (
			<Box mb={16}>
				<Notice tone="negative" action={<Button onClick={() => void query.refetch()}>{m.common_retry()}</Button>}>
					{m.setup_failed()}
				</Notice>
			</Box>
		)
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
