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
import classes from './login-history.module.css';
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
			<header className={classes.header}>
				<div className={classes.identity}>
					<h2 className={classes.name}>{user.name ?? user.email}</h2>
					{user.name !== null && <p className={classes.email}>{user.email}</p>}
				</div>
				{!user.active && <Badge tone="negative">{m.users_deactivated()}</Badge>}
				<span className={classes.count} role="status">
					{m.history_count({ count: user.loginCount, shown: formatCount(user.loginCount) })}
				</span>
			</header>
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
