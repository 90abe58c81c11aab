import { Box, Flex, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import * as z from 'zod';
import { m } from '#messages';
import { api } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { formatRange, Pager, useKeysetPages } from '#web/ui/data/pager.tsx';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { Skeleton, SkeletonRows } from '#web/ui/states/skeleton.tsx';
import { EmptyState, FailedQuery } from '#web/ui/states/states.tsx';
import { LoginHistoryTable } from './login-history-table.tsx';

/** A user's sign-ins, newest first. Remount (`key`) for another user. */
export function LoginHistory({ email }: { email: string }) {
	const pages = useKeysetPages();
	const history = useLoginHistory(email, pages.cursor);
	if (history.isPending) return <LoginHistorySkeleton />;
	if (history.isError) {
		if (describeFailure(history.error).status === 404) return <EmptyState text={m.history_unknown()} />;
		return <FailedQuery text={m.history_failed()} query={history} />;
	}
	const { person: user, items, nextCursor } = history.data;
	const before = pages.pageIndex * loginHistoryPageSize;
	return (
		<section aria-label={m.history_of({ name: user.name ?? user.email })}>
			<Flex component="header" wrap="wrap" align="center" gap="4px 12px" mb={12}>
				<Box miw={0} style={{ overflowWrap: 'anywhere' }}>
					<Text component="h2" inherit fz="lg" fw={600}>
						{user.name ?? user.email}
					</Text>
					{user.name !== null && (
						<Text inherit c="dimmed">
							{user.email}
						</Text>
					)}
				</Box>
				{!user.active && <Badge tone="negative">{m.users_deactivated()}</Badge>}
				<Text span inherit ml="auto" c="dimmed" fz={13} role="status" style={{ fontVariantNumeric: 'tabular-nums' }}>
					{m.history_count({ count: user.loginCount, shown: formatCount(user.loginCount) })}
				</Text>
			</Flex>
			{items.length === 0 ? (
				<EmptyState text={m.history_empty()} />
			) : (
				<>
					<LoginHistoryTable items={items} isComing={history.isPlaceholderData} />
					<Pager
						label={m.history_pages()}
						range={formatRange(before, items.length, user.loginCount)}
						isFetching={history.isPlaceholderData}
						onPrevious={pages.onPrevious}
						onNext={pages.onNext(nextCursor, history.isPlaceholderData)}
					/>
				</>
			)}
		</section>
	);
}

function LoginHistorySkeleton() {
	return (
		<SkeletonRows label={m.history_loading()}>
			<Skeleton width="6%" />
			<Skeleton width="24%" />
			<Skeleton width="32%" />
			<Skeleton width="18%" />
		</SkeletonRows>
	);
}

/** One screenful of sign-ins. */
const loginHistoryPageSize = 50;

/** What the address of /login-history carries: whose. */
export const loginHistorySearch = z.object({ email: z.string().default('') });

/** A page of a user's sign-ins; the previous one stays visible while the next is loaded. */
function useLoginHistory(email: string, cursor: string | undefined) {
	const input = { email, cursor, limit: loginHistoryPageSize };
	return useQuery(api.history.list.queryOptions({ input, placeholderData: keepPreviousData }));
}
