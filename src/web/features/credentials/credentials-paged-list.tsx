import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { describeFailure } from '#web/platform/failure.ts';
import { EmptyState, FailedState } from '#web/ui/faces.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import classes from './credentials-list.module.css';
import { CredentialsPager } from './credentials-pager.tsx';

const skeletonRows = 8;

interface Page<T> {
	items: T[];
	nextCursor: string | null;
	total: number;
}

/** Keyset paging goes forward only: the places passed are kept for the way back. */
export function usePaging() {
	const [passed, setPassed] = useState<string[]>([]);
	return {
		/** Where the page in view begins. */
		cursor: passed.at(-1),
		pagesBefore: passed.length,
		goBack: () => setPassed(passed.slice(0, -1)),
		goOn: (cursor: string) => setPassed([...passed, cursor]),
	};
}

interface PagedListProps<T> {
	page: UseQueryResult<Page<T>>;
	paging: ReturnType<typeof usePaging>;
	pageSize: number;
	texts: { failed: string; loading: string; empty: string };
	/** Offered where nothing is left. */
	emptyAction?: ReactNode;
	/** Headings of the columns, for the eye; the cells say their own names. */
	head: ReactNode;
	children: (items: T[]) => ReactNode;
}

/** A list by pages with its faces: loading, failed, empty. Mount anew (`key`) for another search. */
export function PagedList<T>(props: PagedListProps<T>) {
	const { page, paging, pageSize, texts, emptyAction, head, children } = props;
	if (page.isPending) return <ListSkeleton label={texts.loading} />;
	if (page.isError && page.data === undefined) {
		return (
			<FailedState
				text={texts.failed}
				detail={describeFailure(page.error).message}
				onRetry={() => void page.refetch()}
				isRetrying={page.isFetching}
			/>
		);
	}
	const { items, nextCursor, total } = page.data;
	if (items.length === 0 && paging.pagesBefore === 0) return <EmptyState text={texts.empty} action={emptyAction} />;
	return (
		<>
			<div aria-busy={page.isPlaceholderData}>
				<div className={classes.head} aria-hidden="true">
					{head}
				</div>
				<ul className={classes.rows}>{children(items)}</ul>
			</div>
			<CredentialsPager
				before={paging.pagesBefore * pageSize}
				shown={items.length}
				total={total}
				onPrevious={paging.pagesBefore === 0 ? undefined : paging.goBack}
				onNext={nextCursor === null || page.isPlaceholderData ? undefined : () => paging.goOn(nextCursor)}
			/>
		</>
	);
}

function ListSkeleton({ label }: { label: string }) {
	return (
		<div role="status" aria-label={label}>
			{Array.from({ length: skeletonRows }, (_, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: boxes that never change places.
				<div key={index} className={classes.skeletonRow}>
					<Skeleton width="22%" />
					<Skeleton width="16%" />
					<Skeleton width="18%" />
					<Skeleton width="12%" />
				</div>
			))}
		</div>
	);
}
