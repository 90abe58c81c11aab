import { m } from '#messages';
import { describeFailure } from '#web/platform/failure.ts';
import { formatCount } from '#web/platform/format.ts';
import { Badge } from '#web/ui/badge.tsx';
import { EmptyState, FailedQuery } from '#web/ui/faces.tsx';
import { Pager, rangeOf } from '#web/ui/pager.tsx';
import { Skeleton, SkeletonRows } from '#web/ui/skeleton.tsx';
import { useKeysetPages } from '#web/ui/use-keyset-pages.ts';
import { historyPageSize, useLoginHistory } from './history.api.ts';
import classes from './history-list.module.css';
import { HistoryTable } from './history-table.tsx';

/** Somebody's sign-ins, newest first. Mount anew (`key`) for another person. */
export function LoginHistory({ email }: { email: string }) {
	const pages = useKeysetPages();
	const history = useLoginHistory(email, pages.cursor);
	if (history.isPending) return <HistorySkeleton />;
	if (history.isError) {
		if (describeFailure(history.error).status === 404) return <EmptyState text={m.history_unknown()} />;
		return <FailedQuery text={m.history_failed()} query={history} />;
	}
	const { person, items, nextCursor } = history.data;
	const before = pages.passed * historyPageSize;
	return (
		<section aria-label={m.history_of({ name: person.name ?? person.email })}>
			<header className={classes.head}>
				<div className={classes.who}>
					<h2 className={classes.name}>{person.name ?? person.email}</h2>
					{person.name !== null && <p className={classes.email}>{person.email}</p>}
				</div>
				{!person.active && <Badge tone="negative">{m.people_deactivated()}</Badge>}
				<span className={classes.count} role="status">
					{m.history_count({ count: person.loginCount, shown: formatCount(person.loginCount) })}
				</span>
			</header>
			{items.length === 0 ? (
				<EmptyState text={m.history_empty()} />
			) : (
				<>
					<HistoryTable items={items} isComing={history.isPlaceholderData} />
					<Pager
						label={m.history_pages()}
						range={rangeOf(before, items.length, person.loginCount)}
						isComing={history.isPlaceholderData}
						onPrevious={pages.onPrevious}
						onNext={pages.onNext(nextCursor, history.isPlaceholderData)}
					/>
				</>
			)}
		</section>
	);
}

function HistorySkeleton() {
	return (
		<SkeletonRows label={m.history_loading()}>
			<Skeleton width="6%" />
			<Skeleton width="24%" />
			<Skeleton width="32%" />
			<Skeleton width="18%" />
		</SkeletonRows>
	);
}
