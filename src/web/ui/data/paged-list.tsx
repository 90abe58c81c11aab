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
	/** `pages`: name of the pager for screen readers. */
	texts: { failed: string; empty: string; pages: string };
	emptyAction?: ReactNode;
	skeleton: ReactNode;
	/** Renders the items. The second argument is true while another page is loading. */
	children: (items: T[], isComing: boolean) => ReactNode;
}

/** A paged list with its states: loading, failed, empty. Remount (`key`) for another search. */
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
