import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { m } from '#messages';
import { EmptyState, FailedQuery } from '#web/ui/faces.tsx';
import { Pager, rangeOf } from '#web/ui/pager.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { KeysetPages } from '#web/ui/use-keyset-pages.ts';
import classes from './credentials-list.module.css';

const skeletonRows = 8;

interface Page<T> {
	items: T[];
	nextCursor: string | null;
	total: number;
}

interface PagedListProps<T> {
	page: UseQueryResult<Page<T>>;
	pages: KeysetPages;
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
	const { page, pages, pageSize, texts, emptyAction, head, children } = props;
	if (page.isPending) return <ListSkeleton label={texts.loading} />;
	if (page.isError && page.data === undefined) {
		return <FailedQuery text={texts.failed} query={page} />;
	}
	const { items, nextCursor, total } = page.data;
	if (items.length === 0 && pages.passed === 0) return <EmptyState text={texts.empty} action={emptyAction} />;
	return (
		<>
			<div aria-busy={page.isPlaceholderData}>
				<div className={classes.head} aria-hidden="true">
					{head}
				</div>
				<ul className={classes.rows}>{children(items)}</ul>
			</div>
			<Pager
				label={m.credentials_pages()}
				range={rangeOf(pages.passed * pageSize, items.length, total)}
				onPrevious={pages.onPrevious}
				onNext={pages.onNext(nextCursor, page.isPlaceholderData)}
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
