import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EmptyState, FailedQuery } from '../states/states.tsx';
import { formatRange, type KeysetPages, Pager } from './pager.tsx';

interface Page<T> {
	items: T[];
	nextCursor: string | null;
	total: number;
}

interface PagedListProps<T> {
	page: UseQueryResult<Page<T>>;
	pages: KeysetPages;
	pageSize: number;
	/** `pages`: what the pager is of, for screen readers. */
	texts: { failed: string; empty: string; pages: string };
	/** Offered where nothing is left. */
	emptyAction?: ReactNode;
	/** What stands there while the first page is fetched. */
	skeleton: ReactNode;
	/** `isLoadingNext`: another page is on its way. */
	children: (items: T[], isComing: boolean) => ReactNode;
}

/** A list by pages with its faces: loading, failed, empty. Mount anew (`key`) for another search. */
export function PagedList<T>(props: PagedListProps<T>) {
	const { page, pages, pageSize, texts, emptyAction, skeleton, children } = props;
	if (page.data === undefined) return page.isError ? <FailedQuery text={texts.failed} query={page} /> : skeleton;
	const { items, nextCursor, total } = page.data;
	if (items.length === 0 && pages.pageIndex === 0) return <EmptyState text={texts.empty} action={emptyAction} />;
	return (
		<>
			{children(items, page.isPlaceholderData)}
			<Pager
				label={texts.pages}
				range={formatRange(pages.pageIndex * pageSize, items.length, total)}
				isFetching={page.isPlaceholderData}
				onPrevious={pages.onPrevious}
				onNext={pages.onNext(nextCursor, page.isPlaceholderData)}
			/>
		</>
	);
}
