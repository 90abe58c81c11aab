import { Box, Flex, Text } from '@mantine/core';
import { m } from '#messages';
import { api, type CallOutputs } from '#web/platform/api/client.ts';
import { describeFailure } from '#web/platform/api/failure.ts';
import { orElse, stateOf, text } from '#web/platform/browser/readers.ts';
import { formatCount } from '#web/platform/formats/format.ts';
import { formatRange, PagedList, usePagedQuery } from '#web/ui/data/paged-list.tsx';
import { Badge } from '#web/ui/primitives/badge.tsx';
import { SkeletonRows } from '#web/ui/states/skeleton.tsx';
import { EmptyState } from '#web/ui/states/states.tsx';
import { LoginHistoryTable } from './login-history-table.tsx';

/** A user's sign-ins, newest first. Needs the email as `key`, so that another user starts at page 1. */
export function LoginHistory({ email }: { email: string }) {
	const list = usePagedQuery(50, (page) => api.history.list.queryOptions({ input: { email, ...page } }));
	const history = list.page;
	if (history.isError && describeFailure(history.error).status === 404)
		return <EmptyState text={m.history_unknown()} />;
	const user = history.data?.person;
	return (
		<section aria-label={user && m.history_of({ name: user.name ?? user.email })}>
			{user && <LoginHistoryHeader user={user} />}
			<PagedList
				list={list}
				texts={{ failed: m.history_failed(), empty: m.history_empty(), pages: m.history_pages() }}
				skeleton={<SkeletonRows label={m.history_loading()} widths={['6%', '24%', '32%', '18%']} />}
				rangeOf={({ person, items }, before) => formatRange(before, items.length, person.loginCount)}
			>
				{(items, isFetching) => <LoginHistoryTable items={items} isFetching={isFetching} />}
			</PagedList>
		</section>
	);
}

function LoginHistoryHeader({ user }: { user: CallOutputs['history']['list']['person'] }) {
	return (
		<Flex component="header" wrap="wrap" align="center" gap="4px 12px" mb={12}>
			<Box miw={0} style={{ overflowWrap: 'anywhere' }}>
				<Text component="h2" fz="lg" fw={600}>
					{user.name ?? user.email}
				</Text>
				{user.name !== null && <Text c="dimmed">{user.email}</Text>}
			</Box>
			{!user.active && <Badge tone="negative">{m.users_deactivated()}</Badge>}
			<Text span ml="auto" c="dimmed" fz={13} role="status" style={{ fontVariantNumeric: 'tabular-nums' }}>
				{m.history_count({ count: user.loginCount, shown: formatCount(user.loginCount) })}
			</Text>
		</Flex>
	);
}

/** The search parameters of /login-history. */
export const loginHistorySearch = stateOf({ email: orElse(text(), '') });
